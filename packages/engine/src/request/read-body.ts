// Reads the bytes of a response as a value, by its content type.

import {
  attempt,
  isJsonType,
  isTextType,
  memoTexts,
  parseJson,
  type Headers,
  type JsonValue,
} from "@callsheet/format"

export interface ReadBody {
  /** Absent if the body is empty. Paths to the body then don't resolve. */
  readonly value?: JsonValue
  /** False if the content type is JSON but the body isn't. `value` is then the raw text. */
  readonly isWellFormed: boolean
}

/** Parses JSON and decodes text. Encodes everything else as base64. */
export function readBody(bytes: Uint8Array, headers: Headers): ReadBody {
  if (bytes.length === 0) return { isWellFormed: true }
  const header = headers["content-type"]
  const { type, charset } = contentType(typeof header === "string" ? header : (header?.[0] ?? ""))
  if (isJsonType(type)) {
    const text = decode(bytes, charset) ?? decodeLoosely(bytes)
    const parsed = parseJson(text, { allowDuplicateKeys: true })
    return parsed.ok ? { value: parsed.value, isWellFormed: true } : { value: text, isWellFormed: false }
  }
  if (type === "" || isTextType(type)) {
    const text = decode(bytes, charset) ?? (type === "" ? undefined : decodeLoosely(bytes))
    if (text !== undefined) return { value: text, isWellFormed: true }
  }
  return { value: base64(bytes), isWellFormed: true }
}

interface ContentType {
  /** The lowercase media type without parameters. Empty if the header is missing. */
  readonly type: string
  readonly charset: string
}

// The responses of a run have few different content types.
const contentType = memoTexts((text): ContentType => {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(text)?.[1] ?? "utf-8"
  const [type = ""] = text.split(";", 1)
  return { type: type.trim().toLowerCase(), charset: charset.toLowerCase() }
}, 1000)

// Drops a byte order mark. Undefined if the charset is unknown or doesn't match the bytes.
const decode = (bytes: Uint8Array, charset: string): string | undefined =>
  attempt(() => (charset === "utf-8" ? utf8 : new TextDecoder(charset, { fatal: true })).decode(bytes))

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodeLoosely = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}
