// Turns the exchange of a block into an entry of an HTTP Archive: http://www.softwareishard.com/blog/har-12-spec/

import { STATUS_CODES } from "node:http"
import {
  essence,
  isJsonArray,
  isJsonType,
  isTextType,
  streamFormatOf,
  streamText,
  stringifyJson,
  type BlockError,
  type Headers,
  type JsonValue,
  type OpenBlock,
  type RequestView,
  type ResponseView,
} from "@callsheet/format"
import { pathOf } from "../block-path.ts"
import { knownTexts } from "../known-text.ts"
import { uncheckedTexts } from "../unchecked-text.ts"
import { runStartMs } from "../run-title.ts"

/** callsheet sends only this version. */
const httpVersion = "HTTP/1.1"

/** Returns the entry of a finished block that sent a request. */
export function entryOf<Own>(block: OpenBlock<Own>, error: BlockError | undefined) {
  const { request, response, durationMs: blockMs } = block.report
  const time = response?.durationMs ?? blockMs
  const startMs = block.startMs ?? runStartMs(block.run.report)
  return {
    startedDateTime: new Date(startMs).toISOString(),
    time,
    request: request && requestOf(request),
    response: response === undefined ? missing(error) : responseOf(response, request?.url ?? "", error),
    cache: {},
    // callsheet doesn't measure the phases of an exchange.
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0 },
    comment: [pathOf(block), ...knownTexts(block.report), ...uncheckedTexts(block.report)].join("; "),
    _resourceType: "fetch",
  }
}

function requestOf({ method, url, headers = {}, body, bodyText }: RequestView) {
  const size = Number(headers["content-length"] ?? 0)
  return {
    method,
    // A secret base URL is masked with its scheme, but the format requires one.
    url: /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`,
    httpVersion,
    cookies: cookiesOf(headers["cookie"]),
    headers: headerList(headers),
    queryString: pairsOf(new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])),
    postData: body === undefined ? undefined : postDataOf(headers, body, bodyText),
    headersSize: -1,
    bodySize: Number.isSafeInteger(size) ? size : -1,
  }
}

function postDataOf(headers: Headers, body: JsonValue, bodyText: string | undefined) {
  const mimeType = contentTypeOf(headers)
  const isForm = essence(mimeType) === "application/x-www-form-urlencoded"
  return {
    mimeType,
    text:
      bodyText ?? (typeof body === "string" && !isJsonType(essence(mimeType)) ? body : stringifyJson(body)),
    params: isForm && bodyText !== undefined ? pairsOf(new URLSearchParams(bodyText)) : undefined,
    comment: bodyText === undefined || isForm ? undefined : "Files are shown by their sizes.",
  }
}

function responseOf(response: ResponseView, url: string, error: BlockError | undefined) {
  const { status, headers = {}, redirects = [] } = response
  const hops = redirects.map((redirect) =>
    [redirect.status, redirect.method, redirect.url].filter((part) => part !== undefined).join(" "),
  )
  const { location } = headers
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    httpVersion,
    cookies: [headers["set-cookie"] ?? []].flat().map(setCookieOf),
    headers: headerList(headers),
    content: contentOf(response, error),
    redirectURL: status >= 300 && status < 400 && typeof location === "string" ? location : "",
    headersSize: -1,
    bodySize: -1,
    comment: hops.length === 0 ? undefined : `${url} was redirected: ${hops.join(", ")}`,
  }
}

/** Stands for the response that never arrived. Browsers export the same. */
const missing = (error: BlockError | undefined) => ({
  status: 0,
  statusText: "",
  httpVersion: "",
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: "x-unknown" },
  redirectURL: "",
  headersSize: -1,
  bodySize: -1,
  _error: error?.message ?? "no response",
})

function contentOf({ headers = {}, body, sizeBytes: size }: ResponseView, error: BlockError | undefined) {
  const mimeType = contentTypeOf(headers)
  if (body === undefined)
    return size === 0
      ? { size, mimeType }
      : { size, mimeType, comment: `The body was not read completely: ${error?.message ?? "unknown reason"}` }
  const type = essence(mimeType)
  const format = streamFormatOf(type)
  if (format !== undefined && isJsonArray(body)) return { size, mimeType, text: streamText(format, body) }
  if (typeof body !== "string") return { size, mimeType, text: stringifyJson(body) }
  // A body that should be JSON but isn't is shown as it is.
  if (isJsonType(type))
    return { size, mimeType, text: Buffer.byteLength(body) === size ? body : stringifyJson(body) }
  if (isTextType(type) || Buffer.byteLength(body) === size) return { size, mimeType, text: body }
  return isBase64Of(size, body)
    ? { size, mimeType, text: body, encoding: "base64" }
    : { size, mimeType, text: body, comment: "A secret in the body is masked." }
}

const isBase64Of = (size: number, text: string): boolean =>
  text.length === 4 * Math.ceil(size / 3) && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

function contentTypeOf(headers: Headers): string {
  const type = headers["content-type"]
  return (typeof type === "string" ? type : type?.[0]) ?? ""
}

const headerList = (headers: Headers) =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))

const pairsOf = (pairs: Iterable<readonly [string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value }))

/** Splits at the first `=`. Without one, all of the text is the name. */
function pairOf(text: string) {
  const at = text.indexOf("=")
  return at === -1
    ? { name: text.trim(), value: "" }
    : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() }
}

const cookiesOf = (header: Headers[string] | undefined) =>
  [header ?? []]
    .flat()
    .flatMap((text) => text.split(";"))
    .filter((text) => text.trim() !== "")
    .map(pairOf)

function setCookieOf(header: string) {
  const [first = "", ...rest] = header.split(";")
  const attributes = new Map(rest.map(pairOf).map(({ name, value }) => [name.toLowerCase(), value]))
  const expires = new Date(attributes.get("expires") ?? NaN)
  return {
    ...pairOf(first),
    path: attributes.get("path"),
    domain: attributes.get("domain"),
    expires: Number.isNaN(expires.getTime()) ? undefined : expires.toISOString(),
    httpOnly: attributes.has("httponly"),
    secure: attributes.has("secure"),
  }
}
