import { describe, expect, it } from "vitest"
import type { FieldView, OperationDetail } from "@callsheet/server/calls"
import { newPasswords, plainPasswords } from "./plain-passwords.ts"

const word = { words: "string (password)", isPassword: true } as const
const account: FieldView = {
  words: "object",
  fields: [
    { name: "name", words: "string" },
    { name: "password", ...word },
    { name: "more", words: "array", items: { words: "object", fields: [{ name: "pin", ...word }] } },
  ],
}
const detail: Pick<OperationDetail, "parameters" | "body"> = {
  parameters: [
    { name: "X-Pass", in: "header", ...word },
    { name: "pass", in: "query", ...word },
    { name: "plain", in: "query", words: "string" },
  ],
  body: { required: true, mediaType: "application/json", mediaTypes: [], type: account },
}
const found = (request: Record<string, unknown>) =>
  plainPasswords(request as never, detail).map(({ label, value }) => [label, value])

describe("plain passwords", () => {
  it("are values that the document calls passwords, in parameters and at any depth of the body", () => {
    expect(
      found({
        params: { header: { "x-pass": "a" }, query: { pass: "b", plain: "c" } },
        body: { name: "d", password: "e", more: [{ pin: "f" }, { pin: 7 }, "g"] },
      }),
    ).toEqual([
      ["header x-pass", "a"],
      ["query pass", "b"],
      ["body password", "e"],
      ["body more 0 pin", "f"],
    ])
  })

  it("are neither empty nor placeholders", () => {
    expect(found({ params: { query: { pass: "" } }, body: { password: "{{word}}" } })).toEqual([])
    expect(found({ params: [], body: "text" })).toEqual([])
  })

  it("are new if the file on disk has another value in their place", () => {
    const [one] = plainPasswords({ body: { password: "e" } }, detail)
    if (one === undefined) throw new Error("it finds the password")
    expect(newPasswords([one], [one])).toEqual([])
    expect(newPasswords([one], [{ ...one, value: "other" }])).toEqual([one])
  })
})
