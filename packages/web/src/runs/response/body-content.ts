// Converts a body to formatted text, an image, or bytes in hexadecimal. Pure.

import {
  essence,
  isJsonType,
  isTextType,
  parseJson,
  stringifyJson,
  type Headers,
  type JsonValue,
} from "@callsheet/format"
import { indentMarkup } from "./indent-markup.ts"
import { jsonPrefix } from "./json-prefix.ts"

export interface BodyContent {
  readonly kind: "json" | "xml" | "text" | "image" | "hex"
  /** The formatted text. For an image, its data URL. */
  readonly text: string
  /** The text as received. Absent for bytes. */
  readonly raw?: (() => string) | undefined
  /** True if only the start of a large body is shown. */
  readonly isCut: boolean
  readonly save: SavedBody
}

interface SavedBody {
  readonly extension: string
  /** Returns the content to save. Slow for a large body. */
  readonly content: () => string | Uint8Array<ArrayBuffer>
}

/** The text of a larger body would block the page, so only its start is shown. In UTF-16 code units. */
const MAX_SHOWN = 6_000_000
const MAX_START = 500_000

export interface Body {
  readonly body: JsonValue
  readonly headers: Headers
  /** True if text may represent bytes, such as an image. */
  readonly mayBeBytes: boolean
  /** The size as sent or received, if it is known. */
  readonly sizeBytes?: number | undefined
}

/** Images that a browser decodes without running anything. SVG is shown as text. */
const images: ReadonlyMap<string, string> = new Map(
  ["png", "jpeg", "gif", "webp", "avif", "bmp"].map((name) => [`image/${name}`, name]),
)

/** In reports, a body is JSON, a text, or bytes in Base64 if `mayBeBytes`. */
export function bodyContent({ body, headers, mayBeBytes, sizeBytes = 0 }: Body): BodyContent {
  const type = typeOf(headers)
  if (typeof body !== "string") return jsonContent(body, sizeBytes > MAX_SHOWN)
  const bytes = !mayBeBytes || type === "" || isJsonType(type) || isTextType(type) ? undefined : bytesOf(body)
  if (bytes === undefined) return textContent(body, type)
  const extension = images.get(type)
  if (extension !== undefined)
    return {
      kind: "image",
      text: `data:${type};base64,${body}`,
      isCut: false,
      save: { extension, content: () => bytes },
    }
  const text = plainText(bytes)
  return text === undefined
    ? {
        kind: "hex",
        text: hexLines(bytes),
        isCut: bytes.length > MAX_START,
        save: { extension: "bin", content: () => bytes },
      }
    : textContent(text, type)
}

const typeOf = (headers: Headers): string => essence([headers["content-type"] ?? ""].flat().join())

/** Returns whether the formatted text differs from the received one. */
export const isFormatted = ({ body, headers }: Body): boolean =>
  typeof body !== "string" || isMarkup(typeOf(headers)) || isLines(typeOf(headers))

const isMarkup = (type: string): boolean => type === "text/html" || /[/+]xml$/.test(type)
const isLines = (type: string): boolean => /[/+-](?:ndjson|jsonl|jsonlines)$/.test(type)

function jsonContent(body: JsonValue, isLarge: boolean): BodyContent {
  const start = jsonPrefix(body, isLarge ? MAX_START : MAX_SHOWN + 1, true)
  const isCut = isLarge || start.length > MAX_SHOWN
  return {
    kind: "json",
    text: isCut ? start.slice(0, MAX_START) : start,
    raw: () => jsonPrefix(body, isCut ? MAX_START : Infinity),
    isCut,
    save: { extension: "json", content: () => `${stringifyJson(body, { indent: 2 })}\n` },
  }
}

function textContent(whole: string, type: string): BodyContent {
  const save = { extension: "txt", content: () => whole }
  const isCut = whole.length > MAX_SHOWN
  const raw = isCut ? whole.slice(0, MAX_START) : whole
  const received = { raw: () => raw, isCut, save }
  if (isMarkup(type)) return { kind: "xml", text: indentMarkup(raw, type === "text/html"), ...received }
  const lines = !isCut && isLines(type) ? jsonLines(raw) : undefined
  return { kind: "text", text: lines ?? raw, ...received }
}

/** Formats a value per line. Undefined if a line isn't JSON. */
function jsonLines(text: string): string | undefined {
  const values = text.split("\n").filter((line) => line.trim() !== "")
  const parsed = values.map((line) => parseJson(line))
  const shown = parsed.flatMap((line) => (line.ok ? [stringifyJson(line.value, { indent: 2 })] : []))
  return shown.length === values.length ? shown.join("\n") : undefined
}

/** Returns undefined for text that isn't Base64, such as a masked secret. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Decodes bytes of an unknown type. Undefined if they aren't readable text. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    // oxlint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const rowLength = 16

function hexLines(bytes: Uint8Array): string {
  const rows: string[] = []
  for (let at = 0; at < Math.min(bytes.length, MAX_START); at += rowLength) {
    const row = [...bytes.subarray(at, at + rowLength)]
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")
    const words = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".")).join("")
    rows.push(`${at.toString(16).padStart(8, "0")}  ${digits.padEnd(3 * rowLength)} ${words}`)
  }
  return rows.join("\n")
}
