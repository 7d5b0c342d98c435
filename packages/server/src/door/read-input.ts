// Parses the body of a call and checks it against the call's shape, so that handlers receive only valid names.

import {
  CallsheetError,
  checkShape,
  isJsonArray,
  isJsonObject,
  parseExact,
  type Shape,
  type JsonValue,
  type shapes,
  ownOf,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { calls, type CallName, type Input } from "../calls/index.ts"
import { etagOrNull, refusals } from "../calls/names.ts"
import { CallRefused } from "../handlers.ts"

/** The maximum number of members, more than any real schema, workflow or project has. */
const MAX_MEMBERS = 10_000

/** Parses a body as JSON. Throws `json-syntax`. */
export function readJson(body: Uint8Array): JsonValue {
  try {
    return parseExact(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new CallsheetError(messages["json-syntax"].body())
  }
}

/** Returns the input of a call with exactly the declared fields. Throws for any other body. */
export const readInput = <N extends CallName>(name: N, body: JsonValue): Input<N> =>
  readFields(calls[name].input, body) as Input<N>

/** Reads an object of the shape. Throws for the first wrong field, without repeating its value. */
export function readFields<T>(shape: shapes.ObjectShapeOf<T>, body: JsonValue): T {
  if (!isJsonObject(body)) throw new CallsheetError(messages["field-type"].body())
  if (Object.keys(body).some((name) => !Object.hasOwn(shape.fields, name)))
    throw new CallsheetError(messages["field-unknown"].body())
  for (const [name, field] of Object.entries<shapes.Field>(shape.fields)) {
    const value = ownOf(body, name)
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
    const message = `${name}: ${refusals[code] ?? refusals["field-value"]}`
    throw new CallsheetError({ code, message, hint: finding.hint })
  }
  if (!isBounded(value)) throw new CallsheetError(messages["field-value"].unbounded(name))
}

/** Returns whether the field that selects a variant is missing. */
const isUntagged = (shape: Shape, value: JsonValue): boolean =>
  shape.is === "variant" && isJsonObject(value) && !Object.hasOwn(value, shape.tag)

/** Returns whether all strings are well-formed and no object or list is too large. */
function isBounded(value: JsonValue): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value)
  if (!isJsonArray(value) && !isJsonObject(value)) return true
  const members: readonly JsonValue[] = isJsonArray(value) ? value : Object.values(value)
  return members.length <= MAX_MEMBERS && members.every(isBounded)
}
