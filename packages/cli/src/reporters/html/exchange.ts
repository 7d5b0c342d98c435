// Shows requests and responses as HTTP writes them: a line, headers, an empty line, a body.

import {
  foldRedirects,
  timesText,
  essence,
  isJsonType,
  isTextType,
  stringifyJson,
  type Exchange,
  type Headers,
  type JsonValue,
  type RequestView,
  type ResponseView,
  streamSummary,
} from "@callsheet/format"
import { formatDuration, formatSize } from "../../text/measures.ts"
import { previewBody, shorten } from "../../text/preview.ts"
import { urlPath } from "../block-path.ts"
import { markup, type Markup } from "./markup.ts"

const MAX_URL = 2000
const MAX_HEADER = 1000
const MAX_HEADERS = 60

/** The maximum number of characters of a body, by the status of the block. */
export const MAX_BODY = { failed: 16_000, passed: 2000 } as const

/** Shows an exchange that a failed block made or read. */
export const foldedExchange = ({ block, request, response }: Exchange): Markup =>
  markup`<details open><summary>${shorten(block, 200)} ${requestTitle(request, response)}</summary>${exchangeMarkup(request, response, MAX_BODY.failed)}</details>`

/** Returns `POST /orders 201`. */
export const requestTitle = ({ method, url }: RequestView, response: ResponseView | undefined): Markup =>
  markup`<code class="target">${shorten(method, 20)} ${shorten(urlPath(url), 120)}</code> ${response === undefined ? markup`<span class="muted">no response</span>` : statusMarkup(response.status)}`

const statusMarkup = (status: number): Markup =>
  markup`<b class="${status >= 400 ? "high" : "low"}">${status}</b>`

export const exchangeMarkup = (
  request: RequestView,
  response: ResponseView | undefined,
  maxBody: number,
): Markup =>
  markup`<div class="exchange"><div><p class="label"><b>Request</b></p>${requestMarkup(request, maxBody)}</div><div>${response === undefined ? markup`<p class="label"><b>Response</b></p><p>No response was received.</p>` : responseMarkup(response, maxBody)}</div></div>`

const requestMarkup = ({ method, url, headers, body, bodyText }: RequestView, maxBody: number): Markup =>
  markup`<pre><b>${shorten(method, 20)} ${shorten(url, MAX_URL)}</b>\n${headerLines(headers)}${bodyMarkup(bodyText ?? body, maxBody)}</pre>`

function responseMarkup(response: ResponseView, maxBody: number): Markup {
  const { status, headers, body, durationMs, sizeBytes, redirects = [] } = response
  const size = formatSize(sizeBytes)
  const measures = [formatDuration(durationMs), size, streamSummary(response) ?? []].flat().join(", ")
  const type = essence([headers?.["content-type"] ?? ""].flat()[0] ?? "")
  const isBinary = typeof body === "string" && type !== "" && !isJsonType(type) && !isTextType(type)
  const hops = foldRedirects(redirects).map(({ status: hop, method, url, dropped = [], times }) => {
    const without = dropped.length === 0 ? "" : ` without ${shorten(dropped.join(", "), 200)}`
    return markup`<b>${hop}</b> to ${method === undefined ? "" : `${shorten(method, 20)} `}${shorten(url, MAX_URL)}${timesText(times)}${without}\n`
  })
  return markup`<p class="label"><b>Response</b> <small>${measures}</small></p><pre>${hops}${statusMarkup(status)}\n${headerLines(headers)}${isBinary ? markup`\n<i>${size} of ${type}</i>` : bodyMarkup(body, maxBody, sizeBytes)}</pre>`
}

function headerLines(headers: Headers = {}): readonly Markup[] {
  const rows = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => markup`<i>${shorten(name, 200)}:</i> ${shorten(text, MAX_HEADER)}\n`),
  )
  const more = rows.length - MAX_HEADERS
  return more > 0 ? [...rows.slice(0, MAX_HEADERS), markup`<i>… ${more} more headers</i>\n`] : rows
}

function bodyMarkup(body: JsonValue | undefined, maxBody: number, sizeBytes?: number): Markup | undefined {
  if (body === undefined || body === "") return undefined
  const text = previewBody(body, { width: 100, string: maxBody, lines: 600 }).join("\n")
  if (text.length <= maxBody && !text.endsWith("\n…")) return markup`\n${text}`
  const kept = text.slice(0, maxBody)
  const size = sizeBytes ?? Buffer.byteLength(typeof body === "string" ? body : stringifyJson(body))
  return markup`\n${kept}\n<i>… cut after ${formatSize(Buffer.byteLength(kept))} of ${formatSize(size)}</i>`
}
