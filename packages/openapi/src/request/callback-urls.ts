// Finds the URLs to which an operation calls back: those that the expressions of its callbacks have in an exchange.

import { memo, member, toText, valueAt, type Headers, type JsonValue } from "@callsheet/format"
import type { Operation } from "../document/operations.ts"
import { readRuntimeExpression, type RuntimeExpression } from "../document/runtime-expression.ts"
import { listCallbacks } from "../document/sent-messages.ts"
import { createPathReader, decode, readQuery } from "./parameter-readings.ts"

/** What a run knows of an exchange with an operation. `response` is absent until it has arrived. */
export interface KnownExchange {
  readonly operation: Operation
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body?: JsonValue | undefined
  readonly response?: KnownResponse | undefined
}

interface KnownResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue | undefined
}

interface CallbackUrl {
  readonly url: string
  readonly operation: Operation
}

/** Returns the callbacks with their URLs. Leaves out those that read what isn't known, or isn't there. */
export const callbackUrls = (exchange: KnownExchange): readonly CallbackUrl[] =>
  callbacksOf(exchange.operation).flatMap(({ expression, operation }) => {
    const url = fill(expression, exchange)
    return url === undefined ? [] : [{ url, operation }]
  })

/** Listed once, because a loop may call an operation many times. */
const callbacksOf = memo(listCallbacks)

/** Replaces the expressions in braces. Some documents write a single one without. */
function fill(text: string, exchange: KnownExchange): string | undefined {
  const parts = (text.startsWith("$") ? `{${text}}` : text).split(/\{(\$[^{}]*)\}/)
  const texts = parts.map((part, at) => (at % 2 === 0 ? part : valueOf(part, exchange)))
  return texts.includes(undefined) ? undefined : texts.join("")
}

function valueOf(text: string, exchange: KnownExchange): string | undefined {
  const expression = readRuntimeExpression(text)
  const value = expression && find(expression, exchange)
  return value === undefined || value === null || typeof value === "object" ? undefined : toText(value)
}

function find(expression: RuntimeExpression, exchange: KnownExchange): JsonValue | undefined {
  const { url, method, operation, response } = exchange
  if (expression.of === "exchange") return { url, method, statusCode: response?.status }[expression.part]
  const message = expression.of === "request" ? exchange : response
  if (message === undefined) return undefined
  if (expression.part === "body")
    return message.body === undefined ? undefined : valueAt(message.body, expression.keys)
  if (expression.part === "header") {
    const value = member(message.headers, expression.name.toLowerCase())
    return Array.isArray(value) ? value[0] : value
  }
  const raw =
    expression.part === "query"
      ? readQuery(url).get(expression.name)?.[0]?.replaceAll("+", " ")
      : createPathReader(operation.path)(url)?.get(expression.name)
  return raw === undefined ? undefined : decode(raw)
}
