// Reads HTTP archives (HAR 1.2), which browsers and proxies record.

import { attempt, isJsonArray, type JsonValue } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Body, BodyPart, Collection, Loss, Pair, Request } from "../model.ts"
import { plainText } from "../text.ts"
import { list, member, object, text } from "./json.ts"
import { nameOfRequest, splitUrl, stemOf } from "./url.ts"

export const isHar = (value: JsonValue): boolean => isJsonArray(member(member(value, "log"), "entries"))

export function readHar(value: JsonValue, file: string): Collection {
  const losses: Loss[] = []
  const items = list(member(value, "log"), "entries").map((entry) => readEntry(entry, file, losses))
  const root = { kind: "folder", name: stemOf(file), where: file, scripts: [], items } as const
  return { source: "har", root, variables: [], environments: [], losses }
}

/** Headers of the connection, which callsheet sets itself. */
const OWN_HEADERS = /^(?::|accept-encoding$|content-length$|host$|connection$)/i

function readEntry(entry: JsonValue, file: string, losses: Loss[]): Request {
  const request = member(entry, "request")
  const method = (text(request, "method") ?? "GET").toUpperCase()
  const written = text(request, "url") ?? ""
  // Browsers list requests that never left them, such as `data:`.
  const url = splitUrl(plainText(/^(?:data|blob|about):/i.test(written) ? "data://" : written))
  const name = nameOfRequest(method, url)
  const where = `${file}: ${name}`
  const headers = pairs(list(request, "headers")).filter((header) => !OWN_HEADERS.test(header.name))
  const cookies = pairs(list(request, "cookies"))
  const hasCookie = headers.some((header) => header.name.toLowerCase() === "cookie")
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return {
    kind: "request",
    name,
    where,
    method,
    url,
    headers: hasCookie || cookie === "" ? headers : [...headers, { name: "Cookie", value: cookie }],
    body: readBody(request, where, losses),
    scripts: [],
  }
}

const pairs = (values: readonly JsonValue[]): readonly Pair[] =>
  values.map((value) => ({
    name: plainText(text(value, "name") ?? ""),
    value: plainText(text(value, "value") ?? ""),
  }))

function readBody(request: JsonValue | undefined, where: string, losses: Loss[]): Body | undefined {
  const posted = object(request, "postData")
  if (posted === undefined) return undefined
  const mediaType = text(posted, "mimeType")
  const raw = text(posted, "text") ?? ""
  const content = text(posted, "encoding") === "base64" ? attempt(() => decodeBase64(raw)) : raw
  if (content === undefined) {
    losses.push({ where, what: "body", reason: reasons.binaryBody() })
    return undefined
  }
  const params = list(posted, "params")
  if (/^multipart\/form-data/i.test(mediaType ?? "") && params.length > 0)
    return { kind: "multipart", parts: params.flatMap((param) => readPart(param, where, losses)) }
  if (/^application\/x-www-form-urlencoded/i.test(mediaType ?? ""))
    return content === ""
      ? { kind: "form", fields: pairs(params) }
      : { kind: "form", fields: splitUrl(plainText(`?${content}`)).query, written: plainText(content) }
  return content === "" ? undefined : { kind: "text", text: plainText(content), mediaType }
}

/** Decodes UTF-8. Throws for other bytes. */
const decodeBase64 = (base64: string): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
    Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
  )

function readPart(param: JsonValue, where: string, losses: Loss[]): readonly BodyPart[] {
  const name = plainText(text(param, "name") ?? "")
  if (text(param, "fileName") !== undefined) {
    losses.push({ where, what: `form field ${name}`, reason: reasons.fileContent() })
    return []
  }
  const contentType = text(param, "contentType") || undefined
  return [{ name, content: { value: plainText(text(param, "value") ?? "") }, contentType }]
}
