// Bytes of a file -> its text, strictly UTF-8. Browser-safe.

interface EncodingFinding {
  readonly code: "file-encoding"
  readonly message: string
  readonly hint?: string
  /** In bytes from the start of the file. */
  readonly byteOffset: number
}

type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly finding: EncodingFinding }

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The text without its byte order mark, or which encoding the bytes have instead and from where on. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return refuse(wide)
  try {
    return { ok: true, text: decoder.decode(bytes) }
  } catch {
    const byteOffset = firstInvalidByte(bytes)
    return refuse({
      byteOffset,
      message: `the file is not UTF-8: byte ${byteOffset} cannot stand where it stands`,
      hint: "save the file as UTF-8",
    })
  }
}

const refuse = (finding: Omit<EncodingFinding, "code">): DecodedText => ({
  ok: false,
  finding: { code: "file-encoding", ...finding },
})

// UTF-32 first: its little-endian mark starts with that of UTF-16.
const marks: readonly (readonly [name: string, mark: readonly number[]])[] = [
  ["UTF-32 (little-endian)", [0xff, 0xfe, 0, 0]],
  ["UTF-32 (big-endian)", [0, 0, 0xfe, 0xff]],
  ["UTF-16 (little-endian)", [0xff, 0xfe]],
  ["UTF-16 (big-endian)", [0xfe, 0xff]],
]

/** By which of the first four bytes are NUL. */
const unmarked: ReadonlyMap<string, string> = new Map([
  ["x0x0", "UTF-16 (little-endian)"],
  ["0x0x", "UTF-16 (big-endian)"],
  ["x000", "UTF-32 (little-endian)"],
  ["000x", "UTF-32 (big-endian)"],
])

function wideEncoding(bytes: Uint8Array): Omit<EncodingFinding, "code"> | undefined {
  const hint = "save the file as UTF-8"
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked !== undefined) return { byteOffset: 0, message: `the file is ${marked[0]}, not UTF-8`, hint }
  // Without a mark: the bytes of the ASCII characters that a file of ours starts with are NUL but for one of two or four.
  if (bytes.length < 4) return undefined
  const name = unmarked.get([...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? "0" : "x")).join(""))
  if (name === undefined) return undefined
  return { byteOffset: bytes.indexOf(0), message: `the file looks like ${name}, not UTF-8`, hint }
}

/** The offset of the first byte that is no part of well-formed UTF-8 (Unicode 15, table 3-7). */
function firstInvalidByte(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return at
}

/** Length in bytes of the well-formed character at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const lead = leads.find(({ from, to }) => first >= from && first <= to)
  if (lead === undefined) return 0
  const second = bytes[at + 1] ?? 0
  if (second < lead.second[0] || second > lead.second[1]) return 0
  for (let next = 2; next < lead.length; next++) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return lead.length
}

interface Lead {
  readonly from: number
  readonly to: number
  readonly length: number
  /** What the second byte may be: it keeps out over-long forms, surrogates, and what lies beyond U+10FFFF. */
  readonly second: readonly [from: number, to: number]
}

const leads: readonly Lead[] = [
  { from: 0xc2, to: 0xdf, length: 2, second: [0x80, 0xbf] },
  { from: 0xe0, to: 0xe0, length: 3, second: [0xa0, 0xbf] },
  { from: 0xe1, to: 0xec, length: 3, second: [0x80, 0xbf] },
  { from: 0xed, to: 0xed, length: 3, second: [0x80, 0x9f] },
  { from: 0xee, to: 0xef, length: 3, second: [0x80, 0xbf] },
  { from: 0xf0, to: 0xf0, length: 4, second: [0x90, 0xbf] },
  { from: 0xf1, to: 0xf3, length: 4, second: [0x80, 0xbf] },
  { from: 0xf4, to: 0xf4, length: 4, second: [0x80, 0x8f] },
]
