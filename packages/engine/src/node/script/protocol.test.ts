import { describe, expect, it } from "vitest"
import { createFrameReader, encodeFrame, type Answer } from "./protocol.ts"

const messages: Answer[] = [
  { ok: true, value: { big: 2n ** 70n, list: [1, null, "ü"], nothing: null } },
  { ok: false, message: "x".repeat(100_000) },
  { ok: true, value: undefined },
]

describe("frames", () => {
  it.each([1, 2, 3, 7, 1000, 1_000_000])("are assembled from chunks of %d bytes", (size) => {
    const bytes = Buffer.concat(messages.map((message) => encodeFrame(message)))
    const read = createFrameReader()
    const found: unknown[] = []
    // Reading a large frame byte by byte takes long, and its start is enough.
    const end = size < 100 ? 300 : bytes.length
    for (let at = 0; at < end; at += size) found.push(...read(bytes.subarray(at, Math.min(at + size, end))))
    expect(found).toEqual(size < 100 ? messages.slice(0, 1) : messages)
  })

  it("of absurd length are rejected", () => {
    expect(() => [...createFrameReader()(Buffer.alloc(8, 255))]).toThrow(RangeError)
  })
})
