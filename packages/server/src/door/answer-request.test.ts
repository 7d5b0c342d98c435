import { homedir, tmpdir } from "node:os"
import { describe, expect, it } from "vitest"
import { withoutPlaces } from "./answer-request.ts"

const root = `${homedir()}/work/project`

describe("withoutPlaces", () => {
  it("makes project paths relative and hides others", () => {
    expect(withoutPlaces(`${root}/apis/a.json and "${root}"`, root)).toBe('apis/a.json and "."')
    expect(withoutPlaces(`see ${tmpdir()}/x/y, "${homedir()}/.z" or ${tmpdir()}`, root)).toBe(
      'see … "…" or …',
    )
  })

  it("keeps text that is not such a path", () => {
    const texts = ["GET /orders/{id}", "http://127.0.0.1/a", `${tmpdir()}s/a`, ""]
    for (const text of texts) expect(withoutPlaces(text, root)).toBe(text)
  })
})
