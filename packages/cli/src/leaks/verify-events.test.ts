import { describe, expect, it } from "vitest"
import { createEventVerifier } from "./verify-events.ts"

const verifier = (text: string, value = "k3y-canary-77") => {
  const { onSecrets, hear, verify } = createEventVerifier()
  onSecrets([{ name: "shop.apiKey", value }])
  hear({ type: "log.written", run: 0, block: 1, text })
  return verify
}

describe("the events of a verified run", () => {
  it("may hold what was masked", () => {
    expect(verifier("*** passed")).not.toThrow()
    expect(verifier("passed", "passed")).not.toThrow()
  })

  it("hold no secret without an error that names it", () => {
    expect(verifier('"k3y-canary-77"')).toThrow(
      expect.objectContaining({ code: "secret-leaked", message: "the events hold the value of shop.apiKey" }),
    )
  })
})
