import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeText } from "./decode-text.ts"

const bytes = (...values: number[]) => Uint8Array.from(values)
const encode = (text: string) => new TextEncoder().encode(text)

describe("decodeText", () => {
  it("decodes every well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.startsWith("\ufeff") && !text.includes("\0"))
        expect(decodeText(encode(text))).toEqual({ ok: true, text })
      }),
    )
  })

  it("removes one byte order mark", () => {
    expect(decodeText(encode("\ufeff{}"))).toEqual({ ok: true, text: "{}" })
    expect(decodeText(encode("\ufeff"))).toEqual({ ok: true, text: "" })
  })

  it.each([
    ["UTF-16 (little-endian)", [0xff, 0xfe, 0x7b, 0x00]],
    ["UTF-16 (big-endian)", [0xfe, 0xff, 0x00, 0x7b]],
    ["UTF-32 (little-endian)", [0xff, 0xfe, 0, 0]],
    ["UTF-16 (little-endian)", [0x7b, 0x00, 0x7d, 0x00]],
    ["UTF-16 (big-endian)", [0x00, 0x7b, 0x00, 0x7d]],
    ["UTF-32 (little-endian)", [0x7b, 0, 0, 0]],
    ["UTF-32 (big-endian)", [0, 0, 0, 0x7b]],
  ])("recognizes %s", (name, values) => {
    expect(decodeText(bytes(...values))).toMatchObject({ ok: false, finding: { code: "file-encoding" } })
    expect(JSON.stringify(decodeText(bytes(...values)))).toContain(name)
  })

  it.each([
    ["a stray continuation byte", [0x61, 0x80], 1],
    ["Latin-1", [0x22, 0xe9, 0x22], 1],
    ["a lone surrogate", [0x61, 0x62, 0xed, 0xa0, 0x80], 2],
    ["an overlong encoding", [0xc0, 0xaf], 0],
    ["a truncated character at the end", [0x61, 0xf0, 0x9f, 0x98], 1],
    ["a character beyond Unicode", [0xf4, 0x90, 0x80, 0x80], 0],
  ])("names the byte of %s", (_, values, byteOffset) => {
    const decoded = decodeText(bytes(...values))
    expect(decoded).toMatchObject({ ok: false, finding: { byteOffset } })
  })

  it("finds the first byte at which the decoder stops", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (values) => {
        const decoded = decodeText(values)
        if (
          decoded.ok ||
          decoded.finding.message.includes("UTF-16") ||
          decoded.finding.message.includes("UTF-32")
        )
          return
        const { byteOffset } = decoded.finding
        const strict = new TextDecoder("utf-8", { fatal: true })
        expect(() => strict.decode(values.subarray(0, byteOffset))).not.toThrow()
        const lenient = new TextDecoder("utf-8", { ignoreBOM: true }).decode(values)
        expect(encode(lenient.slice(0, lenient.indexOf("\ufffd"))).length).toBe(byteOffset)
      }),
      { numRuns: 5_000 },
    )
  })
})
