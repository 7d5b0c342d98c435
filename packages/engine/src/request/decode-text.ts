// Decodes the text of a body: by its byte order mark, its content type, or what the text says about itself.

import { attempt, isXmlType } from "@callsheet/format"

export interface Decoding {
  readonly text: string
  /** The place of the first bytes that aren't in the encoding. Undefined if all of them are. */
  readonly fault?: { readonly encoding: string; readonly offset: number; readonly byte: number } | undefined
}

interface TextSource {
  /** The lowercase media type without parameters. */
  readonly type: string
  /** The parameter of the content type. */
  readonly charset: string | undefined
}

/** Decodes bytes without their byte order mark. Replaces invalid bytes by U+FFFD. */
export function decodeText(bytes: Uint8Array, source: TextSource): Decoding {
  const label = markOf(bytes) ?? source.charset ?? declaredIn(bytes, source.type)
  const strict = strictDecoder(label) ?? utf8
  const text = attempt(() => strict.decode(bytes))
  if (text !== undefined) return { text }
  const { encoding } = strict
  const offset = validLength(bytes, encoding)
  const fault = { encoding, offset, byte: bytes[offset] ?? 0 }
  return { text: new TextDecoder(encoding).decode(bytes), fault }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Returns undefined for an unknown encoding. */
const strictDecoder = (label: string | undefined) =>
  label === undefined || label === "utf-8" ? utf8 : attempt(() => new TextDecoder(label, { fatal: true }))

/** Returns the encoding of a byte order mark, which wins over any declaration (WHATWG Encoding, "BOM sniff"). */
function markOf({ 0: first, 1: second, 2: third }: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

/** The number of bytes in which a document has to declare its encoding. */
const MAX_PROLOG_BYTES = 1024

/** Returns the encoding that an XML or HTML document declares. It can be read before the encoding is known. */
function declaredIn(bytes: Uint8Array, type: string): string | undefined {
  const isHtml = type === "text/html"
  if (!isHtml && !isXmlType(type)) return undefined
  // UTF-16 without a byte order mark: `<?` (XML 1.0 appendix F.1).
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[2] === 0x3f) return "utf-16le"
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) return "utf-16be"
  const prolog = String.fromCharCode(...bytes.subarray(0, MAX_PROLOG_BYTES))
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(prolog)?.[1]
  const inMeta = isHtml ? /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(prolog)?.[1] : undefined
  const label = declared ?? inMeta
  // The declaration was readable as ASCII, so the text can't be UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Returns the number of bytes before the first invalid character. */
function validLength(bytes: Uint8Array, encoding: string): number {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const decoder = new TextDecoder(encoding, { fatal: true })
    const isValid = attempt(() => decoder.decode(bytes.subarray(0, middle), { stream: true })) !== undefined
    if (isValid) low = middle
    else high = middle - 1
  }
  // A character may end too early.
  if (encoding !== "utf-8") return Math.min(low, bytes.length - 1)
  // The last bytes may be the start of a character.
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, low), { stream: true })
  return new TextEncoder().encode(whole).length
}
