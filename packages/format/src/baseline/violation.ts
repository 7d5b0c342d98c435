// A contract violation as the baseline names it: without the indexes of arrays, and without the wording of its message.

import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import { ANY_KEY, escapeKey, unescapeKey, unescapePointer } from "../json/pointer-text.ts"
import type { BaselineEntry } from "./baseline-shape.ts"

/** What distinguishes the violations of one response. */
export type ViolationPlace = Pick<BaselineEntry, "path" | "schema">

/** An operation's response in which a violation was found. */
export type ViolationSubject = Pick<BaselineEntry, "api" | "operation" | "status">

/** The maximum length of a path. A longer one has names that the server chose, and can't become known. */
export const MAX_VIOLATION_PATH = 2000

/**
 * Returns a pointer into a response with `*` for the indexes of arrays. Hides names that look generated, such as tokens, because
 * the baseline is under version control.
 */
export function generalizePath(path: string, response: JsonValue): string {
  let value: JsonValue | undefined = response
  const steps = path.split("/").slice(1)
  const general = steps.map((step) => {
    const key = unescapePointer(step)
    const around: JsonValue | undefined = value
    value = stepInto(around, key)
    if (isIndex(key) && !isJsonObject(around)) return ANY_KEY
    return looksGenerated(key) ? "***" : escapeKey(key)
  })
  return general.map((step) => `/${step}`).join("")
}

/** The text of a form or a multipart body has no arrays, but its violations have indexes. */
const isIndex = (key: string): boolean => /^(?:0|[1-9][0-9]*)$/.test(key)

function stepInto(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(key)]
  return isJsonObject(value) ? ownOf(value, key) : undefined
}

const MIN_GENERATED = 20
const MIN_DIGITS = 4

/** Returns whether a property's name looks like an id or a token: long, with letters and several digits. */
function looksGenerated(name: string): boolean {
  if (name.length < MIN_GENERATED || !/[A-Za-z]/.test(name)) return false
  return (name.match(/[0-9]/g) ?? []).length >= MIN_DIGITS
}

/** Returns the text by which violations match: all but the pointer to the rule, of which only the keyword counts. */
export const violationKey = (
  { api, operation, status }: ViolationSubject,
  { path, schema }: ViolationPlace,
): string => JSON.stringify([api, operation, status, path, schema.slice(schema.lastIndexOf("/") + 1)])

/** Writes the pointer to a rule as the baseline does: with the file's path from the API's directory. */
export function baselineSchema(api: string, file: string | undefined, pointer: string | undefined): string {
  return `${file === undefined ? "" : pathFromApi(api, file)}#${pointer ?? ""}`
}

function pathFromApi(api: string, file: string): string {
  const steps = file.split("/")
  const folder = ["apis", api]
  const shared = steps[0] !== "apis" ? 0 : steps[1] === api ? 2 : 1
  return [...folder.slice(shared).map(() => ".."), ...steps.slice(shared)].join("/")
}

/**
 * Returns whether a response could have had the violation at a path: an array with no items shows nothing about its
 * items.
 */
export function couldShow(path: string, response: JsonValue): boolean {
  let values: readonly JsonValue[] = [response]
  for (const step of path.split("/").slice(1)) {
    if (step !== ANY_KEY) {
      const key = unescapeKey(step)
      // Not `flatMap`, which would flatten values that are arrays.
      values = values.map((value) => stepInto(value, key)).filter((value) => value !== undefined)
      // Without the value, the violation can't be there either.
      if (values.length === 0) return true
      continue
    }
    const arrays = values.filter(isJsonArray)
    if (arrays.length > 0 && arrays.every((items) => items.length === 0)) return false
    values = arrays.flatMap((items) => items.slice(0, MAX_ITEMS))
  }
  return true
}

/** The maximum number of items to look into. Those after them are usually like them. */
const MAX_ITEMS = 100
