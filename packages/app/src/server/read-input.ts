// The body of a call -> its input, held against `inputKinds`: no handler ever sees a name that the format does not allow.

import {
  CallsheetError,
  isApiName,
  isEnvironmentName,
  isWorkflowName,
  objectToId,
  type ProblemCode,
} from "@callsheet/format"
import { inputKinds, type CallName, type FileName, type Input, type InputKind } from "../api.ts"
import { CallRefused } from "./call-refused.ts"
import { environmentKinds } from "./environments/environment-inputs.ts"
import { isFreeName, isScriptPath } from "./files/file-parts.ts"
import { isRunId } from "./runs/run-id.ts"

interface TextRule {
  readonly isAllowed: (text: string) => boolean
  readonly code: ProblemCode
  readonly message: string
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** What is refused is not repeated: neither in full nor in part. */
const texts = {
  api: { isAllowed: isApiName, code: "api-name", message: "no API can have this name" },
  environment: {
    isAllowed: isEnvironmentName,
    code: "env-name",
    message: "no environment can have this name",
  },
  workflow: { isAllowed: isWorkflowName, code: "workflow-name", message: "no workflow can have this name" },
  run: { isAllowed: isRunId, code: "run-unknown", message: "no run can have this name" },
  text: { isAllowed: isWellFormed, code: "field-value", message: "the text is not well-formed" },
  script: { isAllowed: isScriptPath, code: "script-name", message: "no script can have this name" },
  request: { isAllowed: isFreeName, code: "instance-name", message: "no saved request can have this name" },
  etag: { isAllowed: (text) => /^[0-9a-f]{64}$/.test(text), code: "field-value", message: "this is no etag" },
  input: {
    isAllowed: (name) => objectToId(name) === undefined,
    code: "input-unknown",
    message: "no input can have this name",
  },
} as const satisfies Readonly<Record<string, TextRule>>

type Read = (name: string, value: unknown) => unknown

const kinds: { readonly [K in InputKind]: Read } = {
  api: readText(texts.api),
  environment: readText(texts.environment),
  workflow: readText(texts.workflow),
  run: readText(texts.run),
  text: readText(texts.text),
  "text?": (name, value) => (value === undefined ? undefined : readText(texts.text)(name, value)),
  bindings: readMembers(texts.api, readText(texts.environment)),
  values: readMembers(texts.input, readScalar),
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

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function readText({ isAllowed, code, message }: TextRule): (name: string, value: unknown) => string {
  return (name, value) => {
    if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
    if (typeof value !== "string") throw new CallsheetError("field-type", `${name} must be a text`)
    if (!isAllowed(value)) throw new CallsheetError(code, `${name}: ${message}`)
    return value
  }
}

/** More members than any workflow has inputs, or project has APIs. */
const MOST_MEMBERS = 10_000

/** An object whose keys are names. What is wrong with a member is said of the whole field: its key may be anything. */
function readMembers(key: TextRule, member: Read): Read {
  const readKey = readText(key)
  return (name, value) => {
    if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
    if (!isObject(value)) throw new CallsheetError("field-type", `${name} must be an object`)
    const entries = Object.entries(value)
    if (entries.length > MOST_MEMBERS) throw new CallsheetError("field-value", `${name} holds too much`)
    return Object.fromEntries(entries.map(([of, item]) => [readKey(name, of), member(name, item)]))
  }
}

function readScalar(name: string, value: unknown): string | number | boolean {
  if (typeof value === "string") return readText(texts.text)(name, value)
  if (typeof value === "number" || typeof value === "boolean") return value
  throw new CallsheetError("field-type", `${name} must hold texts, numbers, true and false`)
}

type PartsOf<F> = F extends FileName ? { readonly [P in Exclude<keyof F, "kind">]: TextRule } : never
type FileRules = {
  readonly [K in FileName["kind"]]: PartsOf<Extract<FileName, { readonly kind: K }>>
}

const fileRules: FileRules = {
  workflow: { workflow: texts.workflow },
  script: { workflow: texts.workflow, script: texts.script },
  request: { api: texts.api, resource: texts.request, request: texts.request },
  schema: { api: texts.api },
  environment: { api: texts.api, environment: texts.environment },
}

/** What a file is, with each part of its name held against the format's rules. */
function readFileName(name: string, value: unknown): FileName {
  if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
  if (!isObject(value)) throw new CallsheetError("field-type", `${name} must be an object`)
  const given = new Map<string, unknown>(Object.entries(value))
  const kind = given.get("kind")
  if (typeof kind !== "string" || !Object.hasOwn(fileRules, kind))
    throw new CallsheetError("field-value", `${name}: there are no files of this kind`)
  const rules = Object.entries<TextRule>(fileRules[kind as FileName["kind"]])
  if (given.size !== rules.length + 1)
    throw new CallsheetError("field-unknown", `${name} must hold the parts of its kind and no others`)
  const parts = rules.map(([part, rule]) => [part, readText(rule)(`${name}.${part}`, given.get(part))])
  return Object.fromEntries([["kind", kind], ...parts]) as FileName
}

/** A change that does not say what it was made from is told so by a status of its own. */
function readEtag(name: string, value: unknown): string | null {
  if (value === undefined)
    throw new CallRefused(428, "etag-missing", "a change must say which state of the file it was made from", {
      hint: "read the file again",
    })
  return value === null ? null : readText(texts.etag)(name, value)
}
