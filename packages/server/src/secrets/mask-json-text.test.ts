import { createMasker } from "@callsheet/engine"
import { describe, expect, it } from "vitest"
import { maskJsonText } from "./mask-json-text.ts"

const masker = createMasker(["true", "transform", "GET", "1", "s3cr3t-key", 8675309, "ab"])

describe("maskJsonText", () => {
  it.each([
    [
      '{ "a" : "with s3cr3t-key in it",\r\n\t"b": "\\u00e9" }',
      '{ "a" : "with *** in it",\r\n\t"b": "\\u00e9" }',
    ],
    ['{"s3cr3t\\u002dkey": 1.5}', '{"***": 1.5}'],
    [
      '{"a": 8675309, "b": [1, 11], "c": "ab", "d": "abc", "ab": null}',
      '{"a": "***", "b": ["***", 11], "c": "***", "d": "abc", "ab": null}',
    ],
    [
      '{"version": 1, "required": true, "type": "transform", "method": "GET"}',
      '{"version": 1, "required": true, "type": "transform", "method": "GET"}',
    ],
    ['{"type": "s3cr3t-key", "x": "transform", "y": true}', '{"type": "***", "x": "***", "y": true}'],
    ['{"a": "say \\"s3cr3t-key\\": {"}', '{"a": "say \\"***\\": {"}'],
  ])("turns %j into %j", (text, expected) => {
    expect(maskJsonText(text, masker)).toBe(expected)
  })

  it("reads a text of millions of characters, escaped or not", () => {
    const text = JSON.stringify({ a: `${'"\\n'.repeat(1_000_000)}s3cr3t-key`, b: "x".repeat(1_000_000) })
    expect(maskJsonText(text, masker)).toBe(text.replace("s3cr3t-key", "***"))
  })
})
