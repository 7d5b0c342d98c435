// Decodes the bytes of a file as strict UTF-8. Works in a browser.

import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"

type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly finding: Finding<"file-encoding"> & { readonly byteOffset: number } }

const strict = new TextDecoder("utf-8", { fatal: true })

/** Returns the text without its byte order mark, or the actual encoding and the first invalid byte. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return wide
  try {
    return { ok: true, text: strict.decode(bytes) }
  } catch {
    const byteOffset = firstInvalidByte(bytes)
    return refuse(byteOffset, encoding.invalidByte(byteOffset))
  }
}

const encoding = messages["file-encoding"]

const refuse = (byteOffset: number, finding: Finding<"file-encoding">): DecodedText => ({
  ok: false,
  finding: { ...finding, byteOffset },
})

// Lists UTF-32 first, because its little-endian mark starts with that of UTF-16.
const marks: readonly (readonly [name: string, mark: readonly number[]])[] = [
  ["UTF-32 (little-endian)", [0xff, 0xfe, 0, 0]],
  ["UTF-32 (big-endian)", [0, 0, 0xfe, 0xff]],
  ["UTF-16 (little-endian)", [0xff, 0xfe]],
  ["UTF-16 (big-endian)", [0xfe, 0xff]],
]

/** The encoding for each pattern of NULs in the first four bytes. */
const unmarked: ReadonlyMap<string, string> = new Map([
  ["x0x0", "UTF-16 (little-endian)"],
  ["0x0x", "UTF-16 (big-endian)"],
  ["x000", "UTF-32 (little-endian)"],
  ["000x", "UTF-32 (big-endian)"],
])

function wideEncoding(bytes: Uint8Array): DecodedText | undefined {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked !== undefined) return refuse(0, encoding.wide(marked[0]))
  // Without a mark, NUL bytes reveal UTF-16 and UTF-32, because project files start with ASCII characters.
  if (bytes.length < 4) return undefined
  const name = unmarked.get([...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? "0" : "x")).join(""))
  return name === undefined ? undefined : refuse(bytes.indexOf(0), encoding.looksWide(name))
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()

/** Returns the offset of the first byte that decodes to U+FFFD, excluding a U+FFFD that is in the file itself. */
export function firstInvalidByte(bytes: Uint8Array): number {
  let at = 0
  for (const part of lenient.decode(bytes).split("\ufffd")) {
    at += encoder.encode(part).length
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) return at
    at += 3
  }
  return bytes.length
}
