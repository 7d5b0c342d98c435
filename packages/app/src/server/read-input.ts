// The body of a call -> its input, held against `inputKinds`: no handler ever sees a name that the format does not allow.

import {
  CallsheetError,
  isApiName,
  isEnvironmentName,
  isWorkflowName,
  type ProblemCode,
} from "@callsheet/format"
import { inputKinds, type CallName, type Input, type InputKind } from "../api.ts"

interface KindRow {
  readonly isAllowed: (text: string) => boolean
  readonly code: ProblemCode
  readonly message: string
}

/** What is refused is not repeated: neither in full nor in part. */
const kinds: { readonly [K in InputKind]: KindRow } = {
  api: { isAllowed: isApiName, code: "api-name", message: "no API can have this name" },
  environment: {
    isAllowed: isEnvironmentName,
    code: "env-name",
    message: "no environment can have this name",
  },
  workflow: { isAllowed: isWorkflowName, code: "workflow-name", message: "no workflow can have this name" },
  text: {
    isAllowed: (text) => !/\p{Surrogate}/u.test(text),
    code: "field-value",
    message: "the text is not well-formed",
  },
}

/** Reads the JSON of a body. Throws `json-syntax` where it is none. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new CallsheetError("json-syntax", "the body is not well-formed JSON")
  }
}

/** The input of a call, with the fields that it declares and no others. Throws what is wrong with it. */
export function readInput<N extends CallName>(name: N, value: unknown): Input<N> {
  return readFields(value, inputKinds[name]) as Input<N>
}

/** All of the fields, which are texts of their kinds. */
export function readFields<F extends string>(
  value: unknown,
  fields: Readonly<Record<F, InputKind>>,
): Readonly<Record<F, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CallsheetError("field-type", "the body must be an object")
  const given = new Map<string, unknown>(Object.entries(value))
  const names = Object.keys(fields) as F[]
  if ([...given.keys()].some((name) => !names.some((known) => known === name)))
    throw new CallsheetError("field-unknown", "the body holds a field that this call does not take")
  return Object.fromEntries(
    names.map((name) => [name, readField(name, given.get(name), fields[name])]),
  ) as Record<F, string>
}

function readField(name: string, value: unknown, kind: InputKind): string {
  if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
  if (typeof value !== "string") throw new CallsheetError("field-type", `${name} must be a text`)
  const { isAllowed, code, message } = kinds[kind]
  if (!isAllowed(value)) throw new CallsheetError(code, `${name}: ${message}`)
  return value
}
