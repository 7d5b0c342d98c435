// A suite as its form edits it, and its value in `callsheet.json`. Pure.

import { isJsonArray, isJsonObject, ownOf, setOwn, type JsonObject, type JsonValue } from "@callsheet/format"

/** The lists of entries of a suite, in the order in which they run. */
export const suiteLists = ["before", "workflows", "finally"] as const

export type SuiteList = (typeof suiteLists)[number]

export interface SuiteDraft {
  readonly description: string
  readonly lists: { readonly [L in SuiteList]: readonly JsonValue[] }
  /** The environment by API. */
  readonly env: Readonly<Record<string, string>>
}

export const newSuite = (workflows: readonly string[]): SuiteDraft => ({
  description: "",
  lists: { before: [], workflows, finally: [] },
  env: {},
})

export function suiteDraft(value: JsonValue | undefined): SuiteDraft {
  const suite = isJsonObject(value) ? value : {}
  const entries = (list: SuiteList): readonly JsonValue[] => {
    const found = ownOf(suite, list)
    return isJsonArray(found) ? found : []
  }
  const env: Record<string, string> = {}
  const { description } = suite
  if (isJsonObject(suite["env"]))
    for (const [api, environment] of Object.entries(suite["env"]))
      if (typeof environment === "string") setOwn(env, api, environment)
  return {
    description: typeof description === "string" ? description : "",
    lists: { before: entries("before"), workflows: entries("workflows"), finally: entries("finally") },
    env,
  }
}

/** Returns the fields of the suite that the form edits. Undefined removes one. */
export function suiteFields({
  description,
  lists,
  env,
}: SuiteDraft): ReadonlyMap<string, JsonValue | undefined> {
  const listed = (list: SuiteList): JsonValue | undefined =>
    lists[list].length === 0 && list !== "workflows" ? undefined : lists[list]
  return new Map<string, JsonValue | undefined>([
    ["description", description.trim() === "" ? undefined : description],
    ["before", listed("before")],
    ["workflows", listed("workflows")],
    ["finally", listed("finally")],
    ["env", Object.keys(env).length === 0 ? undefined : env],
  ])
}

export interface EntryWords {
  readonly name: string
  /** The fields of the entry that only the JSON shows, such as `inputs, retries`. */
  readonly more: string
}

/** Describes an entry, which is a name, a pattern, or an object with more fields. */
export function entryWords(entry: JsonValue): EntryWords {
  if (typeof entry === "string") return { name: entry, more: "" }
  const object: JsonObject = isJsonObject(entry) ? entry : {}
  const { workflow, as } = object
  const name = typeof workflow === "string" ? workflow : "?"
  return {
    name: typeof as === "string" ? `${name} as ${as}` : name,
    more: Object.keys(object)
      .filter((field) => field !== "workflow" && field !== "as")
      .join(", "),
  }
}

/** Moves an entry by one place. */
export function withMoved(entries: readonly JsonValue[], index: number, step: 1 | -1): readonly JsonValue[] {
  const entry = entries[index]
  const to = index + step
  return entry === undefined || to < 0 || to >= entries.length
    ? entries
    : entries.toSpliced(index, 1).toSpliced(to, 0, entry)
}
