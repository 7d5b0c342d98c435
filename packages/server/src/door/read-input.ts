// The body of a call -> its input, checked against the shape of the call: no handler ever sees a name that the format does not allow.

import {
  CallsheetError,
  checkShape,
  isJsonArray,
  isJsonObject,
  type Shape,
  type JsonValue,
  type shapes,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { calls, type CallName, type Input } from "../calls/index.ts"
import { etagOrNull, refusals } from "../calls/names.ts"
import { CallRefused } from "../handlers.ts"

/** More than any schema declares, workflow has inputs, or project has APIs. */
const MAX_MEMBERS = 10_000

/** Reads the JSON of a body. Throws `json-syntax` for anything else. */
export function readJson(body: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)) as JsonValue
  } catch {
    throw new CallsheetError(messages["json-syntax"].body())
  }
}

/** The input of a call, with the fields that it declares and no others. Throws what is wrong with it. */
export const readInput = <N extends CallName>(name: N, body: JsonValue): Input<N> =>
  readFields(calls[name].input, body) as Input<N>

/** An object of the shape. Throws what is wrong with its first wrong field, and repeats nothing of what it refuses. */
export function readFields<T>(shape: shapes.ObjectShapeOf<T>, body: JsonValue): T {
  if (!isJsonObject(body)) throw new CallsheetError(messages["field-type"].body())
  if (Object.keys(body).some((name) => !Object.hasOwn(shape.fields, name)))
    throw new CallsheetError(messages["field-unknown"].body())
  for (const [name, field] of Object.entries<shapes.Field>(shape.fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value !== undefined) requireFitting(name, field.shape, value)
    else if (field.required) throw missing(name, field)
  }
  return body as T
}

function missing(name: string, { shape }: shapes.Field): CallsheetError {
  if (shape !== etagOrNull) return new CallsheetError(messages["field-missing"].missing(name))
  return new CallRefused(428, messages["etag-missing"].missing())
}

function requireFitting(name: string, shape: Shape, value: JsonValue): void {
  const findings = checkShape(shape, value)
  const finding = findings.find(({ code }) => code === "field-missing") ?? findings[0]
  if (finding !== undefined) {
    const code = isUntagged(shape, value) ? "field-value" : finding.code
    throw new CallsheetError(code, `${name}: ${refusals[code] ?? "the value is not allowed"}`, {
      hint: finding.hint,
    })
  }
  if (!isBounded(value)) throw new CallsheetError(messages["field-value"].unbounded(name))
}

/** Whether nothing says which of several objects it is. */
const isUntagged = (shape: Shape, value: JsonValue): boolean =>
  shape.is === "variant" && isJsonObject(value) && !Object.hasOwn(value, shape.tag)

/** Whether all texts are well-formed, and no object or list is larger than anybody needs. */
function isBounded(value: JsonValue): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value)
  if (!isJsonArray(value) && !isJsonObject(value)) return true
  const members: readonly JsonValue[] = isJsonArray(value) ? value : Object.values(value)
  return members.length <= MAX_MEMBERS && members.every(isBounded)
}
