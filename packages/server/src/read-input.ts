// The body of a call -> its input, held against `inputKinds`: no handler ever sees a name that the format does not allow.

import { CallsheetError } from "@callsheet/format"
import { inputKinds, type CallName, type Input, type InputKind } from "./calls/index.ts"
import { environmentKinds } from "./environments/environment-inputs.ts"
import { readEtag, readFileName } from "./read-file-name.ts"
import { isObject, readMembers } from "./read-members.ts"
import { readText, texts, type TextRule } from "./text-rules.ts"

type Read = (name: string, value: unknown) => unknown

const kinds: { readonly [K in InputKind]: Read } = {
  api: readText(texts.api),
  environment: readText(texts.environment),
  workflow: readText(texts.workflow),
  run: readText(texts.run),
  text: readText(texts.text),
  "text?": (name, value) => (value === undefined ? undefined : readText(texts.text)(name, value)),
  bindings: readNamed(texts.api, readText(texts.environment)),
  values: readNamed(texts.input, readScalar),
  request: readText(texts.request),
  file: readFileName,
  etag: readEtag,
  ...environmentKinds,
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
  return readFields(value, inputKinds[name]) as unknown as Input<N>
}

type TextFields<T> = { readonly [F in keyof T]: string }

/** The fields, each of its kind; all of them are texts where `fields` says no more. */
export function readFields<T extends Readonly<Record<string, InputKind>>>(
  value: unknown,
  fields: T,
): TextFields<T> {
  if (!isObject(value)) throw new CallsheetError("field-type", "the body must be an object")
  const given = new Map<string, unknown>(Object.entries(value))
  const known = new Map(Object.entries(fields))
  if ([...given.keys()].some((name) => !known.has(name)))
    throw new CallsheetError("field-unknown", "the body holds a field that this call does not take")
  const read = [...known].map(([name, kind]) => [name, kinds[kind](name, given.get(name))] as const)
  return Object.fromEntries(read.filter(([, field]) => field !== undefined)) as TextFields<T>
}

/** An object whose keys are names. What is wrong with a member is said of the whole field: its key may be anything. */
function readNamed(key: TextRule, member: Read): Read {
  const readKey = readText(key)
  return (name, value) => {
    const members = [...readMembers(name, value)]
    return Object.fromEntries(members.map(([of, item]) => [readKey(name, of), member(name, item)]))
  }
}

function readScalar(name: string, value: unknown): string | number | boolean {
  if (typeof value === "string") return readText(texts.text)(name, value)
  if (typeof value === "number" || typeof value === "boolean") return value
  throw new CallsheetError("field-type", `${name} must hold texts, numbers, true and false`)
}
