// Reads the bytes of a response as a value, by its content type.

import {
  isJsonType,
  isTextType,
  memoTexts,
  parseJson,
  type Finding,
  type Headers,
  type JsonValue,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { decodeText } from "./decode-text.ts"

export interface ReadBody {
  /** Absent if the body is empty. Paths to the body then don't resolve. */
  readonly value?: JsonValue
  /** False if the content type is JSON but the body isn't. `value` is then the raw text. */
  readonly isWellFormed: boolean
  /** Returns the raw text of a stream, whose value is an array. */
  readonly text?: () => string
  /** Set if a JSON body isn't text in its encoding. `value` is then the text with replacement characters. */
  readonly fault?: Finding<"request-failed">
}

/** Parses JSON and decodes text. Encodes everything else as base64. */
export function readBody(bytes: Uint8Array, headers: Headers): ReadBody {
  if (bytes.length === 0) return { isWellFormed: true }
  const header = headers["content-type"]
  const source = contentType(typeof header === "string" ? header : (header?.[0] ?? ""))
  const { type } = source
  if (isJsonType(type)) {
    const { text, fault } = decodeText(bytes, source)
    if (fault !== undefined)
      return { value: text, isWellFormed: false, fault: messages["request-failed"].notText(type, fault) }
    const parsed = parseJson(text, { allowDuplicateKeys: true })
    return parsed.ok ? { value: parsed.value, isWellFormed: true } : { value: text, isWellFormed: false }
  }
  if (type === "" || isTextType(type)) {
    const { text, fault } = decodeText(bytes, source)
    if (fault === undefined || type !== "") return { value: text, isWellFormed: true }
  }
  return { value: base64(bytes), isWellFormed: true }
}

// The responses of a run have few different content types.
const contentType = memoTexts((text) => {
  const [type = ""] = text.split(";", 1)
  return {
    type: type.trim().toLowerCase(),
    charset: /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(text)?.[1]?.toLowerCase(),
  }
}, 1000)

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}
