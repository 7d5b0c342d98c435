// Values as events show them: masked and, where no listener keeps exchanges, cut to what a terminal can show.

import {
  isJsonArray,
  isJsonObject,
  type ContractProblem,
  type Exchange,
  type Headers,
  type JsonValue,
  type RedirectView,
  type RequestView,
} from "@callsheet/format"
import type { Masker } from "./mask.ts"
import { createMaskedKeys } from "./mask/masked-keys.ts"

/** Characters of one string, and values in one body, that a failure shows. */
const PREVIEW_CHARACTERS = 4_000
const PREVIEW_VALUES = 500

/** A masked copy of at most a screenful. Masked before it is cut, so that no half of a secret can stay. */
export function previewValue(value: JsonValue, mask: Masker): JsonValue {
  return mask.value(cut(value, { left: PREVIEW_VALUES }, mask))
}

const MAX_DEPTH = 50

function cut(value: JsonValue, budget: { left: number }, mask: Masker, depth = 0): JsonValue {
  budget.left--
  if (typeof value === "string") return cutText(value, mask)
  if (typeof value !== "object" || value === null) return value
  if (depth > MAX_DEPTH) return isJsonArray(value) ? [ELLIPSIS] : { [ELLIPSIS]: ELLIPSIS }
  if (isJsonArray(value)) {
    const items: JsonValue[] = []
    for (const item of value) {
      if (budget.left <= 0) return [...items, `${ELLIPSIS} ${value.length - items.length} more`]
      items.push(cut(item, budget, mask, depth + 1))
    }
    return items
  }
  const entries: [string, JsonValue][] = []
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value)
  for (const key of keys) {
    if (budget.left <= 0) {
      entries.push([`${ELLIPSIS} ${keys.length - entries.length} more`, ELLIPSIS])
      break
    }
    entries.push([key, cut(value[key]!, budget, mask, depth + 1)])
  }
  // fromEntries defines own properties, `__proto__` included.
  return Object.fromEntries(entries)
}

const ELLIPSIS = "…"

function cutText(text: string, mask: Masker): string {
  if (text.length <= PREVIEW_CHARACTERS) return text
  // Masking a bounded part beyond the cut is enough for every secret that is shorter than the margin.
  const masked = mask.text(text.slice(0, PREVIEW_CHARACTERS + longestSecretForm))
  return `${masked.slice(0, PREVIEW_CHARACTERS)}${ELLIPSIS} (${text.length} characters)`
}

const longestSecretForm = 64 * 1024

const credentialHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"])

export function viewHeaders(headers: Headers, mask: Masker): Headers {
  const shown = createMaskedKeys(headers, mask.name)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = credentialHeaders.has(name) ? mask.header : mask.text
      return [shown(name), typeof value === "string" ? text(value) : value.map(text)]
    }),
  )
}

export const viewRedirects = (redirects: readonly RedirectView[], mask: Masker): readonly RedirectView[] =>
  redirects.map(({ status, url, dropped }) => ({
    status,
    url: mask.url(url),
    ...(dropped === undefined ? {} : { dropped: dropped.map(mask.name) }),
  }))

/** A problem of a contract, of a response or a request. */
export const viewProblem = (problem: ContractProblem, mask: Masker): ContractProblem => ({
  ...problem,
  path: mask.text(problem.path),
  message: mask.text(problem.message),
  ...(problem.schema === undefined ? {} : { schema: mask.text(problem.schema) }),
})

/** An exchange as a failure shows it. */
export const previewExchange = (exchange: Exchange, mask: Masker): Exchange => ({
  block: mask.text(exchange.block),
  request: previewRequest(exchange.request, mask),
  ...(exchange.response === undefined
    ? {}
    : {
        response: {
          ...exchange.response,
          ...(exchange.response.redirects === undefined
            ? {}
            : { redirects: viewRedirects(exchange.response.redirects, mask) }),
          ...(exchange.response.headers === undefined
            ? {}
            : { headers: viewHeaders(exchange.response.headers, mask) }),
          ...(exchange.response.body === undefined
            ? {}
            : { body: previewValue(exchange.response.body, mask) }),
        },
      }),
})

const previewRequest = (request: RequestView, mask: Masker): RequestView => ({
  method: request.method,
  url: mask.url(request.url),
  ...(request.headers === undefined ? {} : { headers: viewHeaders(request.headers, mask) }),
  ...(request.body === undefined ? {} : { body: previewValue(request.body, mask) }),
})
