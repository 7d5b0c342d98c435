// Finds the literal at a place that can become a variable of an environment, and what the file says instead of it.

import {
  isReserved,
  isVariableName,
  jsonPlaceAt,
  member,
  parseJson,
  parsePathOnce,
  setJsonAt,
  valueAt,
  type Environment,
  type JsonPointer,
  type JsonValue,
  type ScalarType,
  isSecretName,
} from "@callsheet/format"
import { freeName, takenNames } from "@callsheet/language"
import type { FileKind } from "../file/editor-file.ts"
import type { Place } from "../workspace/workspace.ts"

export interface Extraction {
  readonly api: string
  readonly name: string
  readonly type: ScalarType
  readonly value: string | number | boolean
  /** True if the name of the field is that of a secret, or if the value is one of the project. */
  readonly isSecret: boolean
  /** The file's text with a placeholder instead of the literal. */
  readonly text: string
  /** The environments that get the value. Others inherit it. */
  readonly environments: readonly Environment[]
}

export function extractionAt({ file, view }: Place, offset: number): Extraction | undefined {
  const savedIn = apiOfSaved(file.is)
  const { pointer, at, token } = jsonPlaceAt(file.text, offset)
  const parsed = parseJson(file.text)
  if (!parsed.ok || at !== "value" || (token !== "string" && token !== "word")) return undefined
  const value = valueAt(parsed.value, pointer)
  const api =
    savedIn === undefined ? blockApi(parsed.value, pointer) : isSent(pointer[0]) ? savedIn : undefined
  const files = api === undefined ? undefined : view.project.apis.get(api)?.environments
  if (api === undefined || files === undefined || !isLiteral(value)) return undefined
  const environments = [...files.environments.values()].filter((each) => each.extends === undefined)
  if (environments.length === 0 || files.declared === undefined) return undefined
  const key = keyOf(pointer)
  const taken = new Set([...files.declared, ...environments.flatMap(({ values }) => [...values.keys()])])
  const name = freeName(isVariableName(key) && !isReserved(key) ? key : "value", taken)
  const others = savedIn === undefined ? [file] : [...view.project.workflows.values()]
  const isTaken = others.some(({ text }) => text.includes(name) && namesIn(text).has(name))
  const edited = setJsonAt(file.text, pointer, `{{${isTaken ? `env.${api}.${name}` : name}}}`)
  if (!edited.ok) return undefined
  const isSecret = isSecretName(key) || view.masker().text(String(value)) !== String(value)
  return { api, name, type: typeOf(value), value, isSecret, text: edited.text, environments }
}

const typeOf = (value: Extraction["value"]): ScalarType =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string"

const isLiteral = (value: JsonValue | undefined): value is string | number | boolean =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && /^[^{]+$/.test(value))

/** Returns the API of a saved request. */
const apiOfSaved = (file: FileKind): string | undefined => (file.kind === "request" ? file.api : undefined)

const isSent = (field: unknown): boolean => field === "params" || field === "body"

/** Returns the API of the block whose request sends the value. */
function blockApi(workflow: JsonValue, pointer: JsonPointer): string | undefined {
  const at = pointer.findIndex((step, index) => step === "request" && pointer[index + 1] === "overrides")
  if (at === -1 || !isSent(pointer[at + 2])) return undefined
  const api = member(valueAt(workflow, pointer.slice(0, at + 1)), "api")
  return typeof api === "string" ? api : undefined
}

/** The key of an override is a path, whose last name counts. */
function keyOf(pointer: JsonPointer): string {
  const key = String(pointer.findLast((step) => typeof step === "string"))
  const path = parsePathOnce(key)
  return (path.ok ? path.segments.at(-1) : undefined) ?? key
}

function namesIn(text: string): ReadonlySet<string> {
  const parsed = parseJson(text)
  return parsed.ok ? takenNames(parsed.value) : new Set()
}
