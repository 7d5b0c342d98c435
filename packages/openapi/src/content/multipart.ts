// Reads the bytes of a `multipart/form-data` body as fields (RFC 7578). Takes linear time, because a body can be hostile.

import { attempt, escapePattern, essence, isJsonType, parseJson } from "@callsheet/format"
import { addField, type FieldValue, type Fields } from "./fields.ts"

export type ReadMultipart =
  | { readonly ok: true; readonly fields: Fields }
  | { readonly ok: false; readonly fault: string }

/** Reads a body that is given as a string with a character per byte. */
export function readMultipart(binary: string, contentType: string): ReadMultipart {
  const boundary = parametersOf(contentType).get("boundary")
  if (boundary === undefined || boundary === "")
    return { ok: false, fault: "the content type has no boundary" }
  // Some servers end lines with LF only.
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${escapePattern(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, "g")
  const fields = new Map<string, FieldValue[]>()
  let start: number | undefined
  let part = 0
  for (const { 0: text, 1: close, index } of binary.matchAll(delimiter)) {
    if (start !== undefined) {
      part++
      if (!addPart(fields, binary.slice(start, index)))
        return { ok: false, fault: `part ${part} has no name` }
    }
    if (close !== undefined) return { ok: true, fields }
    start = index + text.length
  }
  const fault = start === undefined ? "its boundary doesn't occur" : "its last boundary is missing"
  return { ok: false, fault }
}

/** Adds a part: the line break after the delimiter, its headers, an empty line, and its content. */
function addPart(fields: Map<string, FieldValue[]>, part: string): boolean {
  const gap = /\r?\n\r?\n/.exec(part)
  const head = part.slice(0, gap?.index).replaceAll(/\r?\n[ \t]+/g, " ")
  const content = gap === null ? "" : part.slice(gap.index + gap[0].length)
  const headerOf = (name: string) => new RegExp(`^${name}[ \\t]*:(.*)$`, "im").exec(head)?.[1]
  const disposition = parametersOf(headerOf("content-disposition") ?? "")
  const name = disposition.get("name")
  if (name === undefined) return false
  const isFile = disposition.has("filename") || disposition.has("filename*")
  addField(fields, decodeUtf8(unescape(name)), valueOf(content, headerOf("content-type") ?? "", isFile))
  return true
}

function valueOf(content: string, contentType: string, isFile: boolean): FieldValue {
  const type = essence(contentType)
  const text = decodeUtf8(content)
  const parsed = isJsonType(type) ? parseJson(text) : undefined
  if (parsed?.ok === true) return { is: "json", value: parsed.value }
  return isFile || !/^(?:text\/.*|)$/.test(type) ? { is: "file" } : { is: "text", text }
}

/** Returns the parameters of a header, such as `form-data; name="id"`, under lowercase names. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const pattern = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g
  return new Map(
    [...header.matchAll(pattern)].map(([, name = "", quoted, plain = ""]) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain,
    ]),
  )
}

/** Browsers escape a quote and line breaks in a name, but nothing else. */
const unescape = (name: string): string =>
  name.replaceAll(/%(22|0d|0a)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const utf8 = new TextDecoder()

const decodeUtf8 = (binary: string): string =>
  utf8.decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))

/** Decodes base64 to a string with a character per byte. Undefined if it isn't base64. */
export const fromBase64 = (text: string): string | undefined => attempt(() => atob(text))
