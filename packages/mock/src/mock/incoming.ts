// A request to a mock as received, and the parts that checks and matching read.

import { decodePercent, setOwn, type JsonValue, essence, isJsonType, parseJson } from "@callsheet/format"
import { decode, readForm, readMultipart, readQuery } from "@callsheet/openapi"
import type { IncomingMessage } from "node:http"

export interface Incoming {
  readonly method: string
  /** The target as received: a path with its query. */
  readonly target: string
  /** The path below the base path, without decoding. */
  readonly path: string
  /** The query with its question mark, or nothing. */
  readonly query: string
  /** In the order received. A name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly cookies: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Reads a request whose path starts with `basePath`. Undefined if its target isn't a path below it. */
export function readIncoming(
  { method = "", url = "", rawHeaders, headers }: IncomingMessage,
  body: Buffer,
  basePath: string,
): Incoming | undefined {
  if (!url.startsWith("/")) return undefined
  const at = url.indexOf("?")
  const whole = at === -1 ? url : url.slice(0, at)
  if (!whole.startsWith(basePath)) return undefined
  const path = whole.slice(basePath.length)
  if (path !== "" && !path.startsWith("/")) return undefined
  return {
    method,
    target: url,
    path: path === "" ? "/" : path,
    query: at === -1 ? "" : url.slice(at),
    headers: pairsOf(rawHeaders),
    cookies: headers.cookie === undefined ? {} : readCookies(headers.cookie),
    body,
  }
}

function pairsOf(raw: readonly string[]): Incoming["headers"] {
  const pairs: [string, string][] = []
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""])
  return pairs
}

function readCookies(text: string): Readonly<Record<string, string>> {
  const cookies: Record<string, string> = {}
  for (const pair of text.split(";")) {
    const at = pair.indexOf("=")
    if (at > 0) setOwn(cookies, pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }
  return cookies
}

/** Returns the first value of a header. */
export function headerOf({ headers }: Pick<Incoming, "headers">, name: string): string | undefined {
  for (const [own, value] of headers)
    if (own.length === name.length && own.toLowerCase() === name) return value
  return undefined
}

/** Returns all values of a header, joined as HTTP allows. */
export function headerList({ headers }: Pick<Incoming, "headers">, name: string): string | undefined {
  const values = headers.flatMap(([own, value]) => (own.toLowerCase() === name ? [value] : []))
  return values.length === 0 ? undefined : values.join(", ")
}

/** Returns the query's values by name, decoded. */
export const queryValues = ({ query }: Pick<Incoming, "query">): readonly (readonly [string, string])[] =>
  [...readQuery(query)].flatMap(([name, raw]) =>
    raw.map((value) => [name, decode(value.replaceAll("+", " "))] as const),
  )

export type BodyContent =
  | { readonly is: "none" }
  | { readonly is: "json" | "form"; readonly value: JsonValue }
  | { readonly is: "text"; readonly value: string }
  | { readonly is: "bytes"; readonly value: string }

/** Reads the body by its content type: JSON, the fields of a form, text, or bytes as base64. */
export function readContent(incoming: Pick<Incoming, "headers" | "body">): BodyContent {
  const { body } = incoming
  if (body.length === 0) return { is: "none" }
  const written = headerOf(incoming, "content-type") ?? ""
  const type = essence(written)
  if (isJsonType(type)) {
    const parsed = parseJson(body.toString(), { allowDuplicateKeys: true })
    return parsed.ok ? { is: "json", value: parsed.value } : { is: "text", value: body.toString() }
  }
  if (type === "application/x-www-form-urlencoded")
    return { is: "form", value: fieldsValue(readForm(body.toString())) }
  if (type === "multipart/form-data") {
    const read = readMultipart(body.toString("latin1"), written)
    return read.ok
      ? { is: "form", value: fieldsValue(read.fields) }
      : { is: "bytes", value: body.toString("base64") }
  }
  const text = decodeUtf8(body)
  return text === undefined ? { is: "bytes", value: body.toString("base64") } : { is: "text", value: text }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns fields as an object. A file has its kind in place of its bytes. */
function fieldsValue(fields: ReturnType<typeof readForm>): JsonValue {
  const value: Record<string, JsonValue> = {}
  for (const [name, all] of fields) {
    const values = all.map((one) => (one.is === "text" ? one.text : one.is === "json" ? one.value : "(file)"))
    setOwn(value, name, values.length === 1 ? (values[0] ?? "") : values)
  }
  return value
}

/** Decodes the segments of a path for matching. A segment with an encoded slash, or an invalid one, stays as it is. */
export const decodeSegments = (path: string): string =>
  path.includes("%")
    ? path
        .split("/")
        .map((segment) => {
          const decoded = decodePercent(segment)
          return decoded === undefined || decoded.includes("/") ? segment : decoded
        })
        .join("/")
    : path
