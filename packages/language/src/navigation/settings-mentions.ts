// Finds the names in `callsheet.json`: suites, workflows, environments, inputs, and the blocks that entries read.

import {
  isJsonArray,
  isJsonObject,
  isPattern,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  listMember,
  type LocatedJson,
  matches,
  member,
  objectMember,
  textMember,
  valueAt,
  valueStrings,
} from "@callsheet/format"
import { pathsIn } from "../references/path-heads.ts"
import type { Mention, Named } from "./named.ts"
import { createNamePlaces, mentionAt } from "./workflow-mentions.ts"

export function* settingsMentions(json: LocatedJson): Generator<Mention> {
  const { value } = json
  yield* environmentMentions(json, ["defaults", "env"])
  for (const api of Object.keys(objectMember(value, "sources") ?? {}))
    yield* mentionAt(json, ["sources", api], "key", reads({ is: "api", name: api }))
  for (const [index, helper] of listMember(value, "helpers").entries())
    yield* workflowMention(json, ["helpers", index], helper)
  for (const [name, suite] of Object.entries(objectMember(value, "suites") ?? {})) {
    yield* mentionAt(json, ["suites", name], "key", { named: { is: "suite", name }, declares: true })
    yield* environmentMentions(json, ["suites", name, "env"])
    const entries = [...entriesIn(suite, ["suites", name])]
    const before = entries.filter(({ list, owner }) => list === "before" && owner === undefined)
    for (const entry of entries) yield* entryMentions(json, entry, before)
  }
}

const reads = (named: Named): Pick<Mention, "named" | "declares"> => ({ named, declares: false })

export interface WrittenEntry {
  readonly value: JsonValue
  readonly pointer: JsonPointer
  readonly list: "before" | "workflows" | "finally"
  readonly workflow: string
  /** Where the workflow's name is. */
  readonly at: JsonPointer
  /** The workflow of the entry that this one cleans up after. */
  readonly owner: string | undefined
}

/** Yields the entries of a suite, those in `finally` after their owner. */
export function* entriesIn(suite: JsonValue, pointer: JsonPointer): Generator<WrittenEntry> {
  for (const list of ["before", "workflows", "finally"] as const)
    yield* listed(member(suite, list), { pointer: [...pointer, list], list, owner: undefined })
}

function* listed(
  entries: JsonValue | undefined,
  { pointer, list, owner }: Pick<WrittenEntry, "pointer" | "list" | "owner">,
): Generator<WrittenEntry> {
  for (const [index, value] of (isJsonArray(entries) ? entries : []).entries()) {
    const own = [...pointer, index]
    const workflow = typeof value === "string" ? value : textMember(value, "workflow")
    if (workflow === undefined) continue
    const at = typeof value === "string" ? own : [...own, "workflow"]
    yield { value, pointer: own, list, workflow, at, owner }
    yield* listed(member(value, "finally"), { pointer: [...own, "finally"], list, owner: workflow })
  }
}

function* entryMentions(
  json: LocatedJson,
  { value, pointer, workflow, at, owner }: WrittenEntry,
  before: readonly WrittenEntry[],
): Generator<Mention> {
  yield* workflowMention(json, at, workflow)
  if (!isJsonObject(value)) return
  yield* environmentMentions(json, [...pointer, "env"])
  yield* mockMentions(json, value, [...pointer, "mocks"])
  const data = textMember(value, "data")
  if (data !== undefined)
    yield* mentionAt(json, [...pointer, "data"], "value", reads({ is: "file", name: data }))
  const inputs = objectMember(value, "inputs") ?? {}
  if (!isPattern(workflow))
    for (const name of Object.keys(inputs))
      yield* mentionAt(json, [...pointer, "inputs", name], "key", reads({ is: "input", workflow, name }))
  for (const live of valueStrings(inputs, [...pointer, "inputs"], (text) => text.includes("{{"))) {
    const placeOf = createNamePlaces(json, live.pointer)
    for (const path of pathsIn(live)) {
      const [first, second, third] = path
      if (first === undefined) continue
      const earlier = before.find((entry) => isNamed(entry, first.name))
      if (earlier !== undefined) {
        const hasOwnName = textMember(earlier.value, "as") !== undefined
        const of = isPattern(earlier.workflow) ? first.name : earlier.workflow
        if (!hasOwnName) yield { ...reads({ is: "workflow", name: of }), ...placeOf(first) }
        if (second !== undefined)
          yield {
            ...reads({ is: "block", workflow: of, name: second.name }),
            ...placeOf(second),
          }
      } else if (first.name === "env" && second !== undefined && third !== undefined)
        yield { ...reads({ is: "variable", api: second.name, name: third.name }), ...placeOf(third) }
      else if (owner !== undefined)
        yield { ...reads({ is: "block", workflow: owner, name: first.name }), ...placeOf(first) }
    }
  }
}

/** A pattern makes an entry for each workflow that it matches, with the workflow's name. */
const isNamed = ({ value, workflow }: WrittenEntry, name: string): boolean =>
  (textMember(value, "as") ?? workflow) === name || (isPattern(workflow) && matches(name, workflow))

function* workflowMention(json: LocatedJson, pointer: JsonPointer, name: JsonValue): Generator<Mention> {
  if (typeof name === "string" && !isPattern(name))
    yield* mentionAt(json, pointer, "value", reads({ is: "workflow", name }))
}

function* mockMentions(json: LocatedJson, entry: JsonObject, pointer: JsonPointer): Generator<Mention> {
  for (const [index, mock] of listMember(entry, "mocks").entries()) {
    const name = typeof mock === "string" ? mock : textMember(mock, "api")
    const at = typeof mock === "string" ? [...pointer, index] : [...pointer, index, "api"]
    if (name !== undefined) yield* mentionAt(json, at, "value", reads({ is: "api", name }))
  }
}

function* environmentMentions(json: LocatedJson, pointer: JsonPointer): Generator<Mention> {
  const value = valueAt(json.value, pointer)
  for (const [api, name] of Object.entries(isJsonObject(value) ? value : {})) {
    yield* mentionAt(json, [...pointer, api], "key", reads({ is: "api", name: api }))
    if (typeof name === "string")
      yield* mentionAt(json, [...pointer, api], "value", reads({ is: "environment", api, name }))
  }
}
