// Merges generated suites and helpers into `callsheet.json`. What people put there stays.

import {
  editedText,
  deleteJsonAt,
  type GeneratedState,
  insertJsonItem,
  isJsonArray,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  member,
  ownOf,
  projectFileShape,
  setJsonAt,
  setOwn,
  stringifyJson,
  type SuiteState,
  textMember,
  valueAt,
} from "@callsheet/format"
import { decideUnit, rememberUnit, type Verdict } from "./decide-unit.ts"
import { valueOf } from "./edited-json.ts"
import type { Digest } from "./merge-workflow.ts"

export interface SuitesMerge {
  /** The text of `callsheet.json`, which parses to an object. */
  readonly text: string
  readonly state: Pick<GeneratedState, "suites" | "helpers">
  readonly suites: Readonly<Record<string, JsonObject>>
  readonly helpers: readonly string[]
  /** Returns whether an entry or helper is no longer generated. All others that aren't generated now stay. */
  readonly isLost: (workflow: string) => boolean
  readonly digest: Digest
}

export interface MergedSuites {
  readonly text: string
  readonly state: Pick<GeneratedState, "suites" | "helpers">
  /** The entries and fields of suites whose hand edits stay, such as `generated: orders-lifecycle`. */
  readonly conflicts: readonly string[]
}

export function mergeSuites(merge: SuitesMerge): MergedSuites {
  const withHelpers = mergeHelpers(merge)
  let { text } = withHelpers
  const states: Record<string, SuiteState> = { ...merge.state.suites }
  const conflicts: string[] = []
  for (const [name, next] of Object.entries(merge.suites)) {
    const base = ownOf(merge.state.suites, name)
    const isThere = valueAt(valueOf(text), ["suites", name]) !== undefined
    // A suite that a person deleted stays deleted.
    if (!isThere && base !== undefined) continue
    if (!isThere) {
      text = editedText(setJsonAt(text, ["suites", name], next, projectFileShape))
      setOwn(states, name, firstSuiteState(next, merge.digest))
      continue
    }
    const merged = mergeSuite({ ...merge, text, name, base, next })
    text = merged.text
    setOwn(states, name, merged.state)
    conflicts.push(...merged.conflicts.map((entry) => `${name}: ${entry}`))
  }
  return { text, state: { suites: states, helpers: withHelpers.helpers }, conflicts }
}

function mergeHelpers({ text, state, helpers: next, isLost }: SuitesMerge) {
  const listed = valueAt(valueOf(text), ["helpers"])
  const before = isJsonArray(listed) ? listed : []
  const added = next.filter((name) => !before.includes(name) && !state.helpers.includes(name))
  const lost = state.helpers.filter((name) => !next.includes(name) && isLost(name))
  const after = [...before.filter((name) => !lost.some((one) => one === name)), ...added]
  const remembered = [...state.helpers.filter((name) => !lost.includes(name)), ...next]
  const helpers = [...new Set(remembered)].sort()
  if (added.length === 0 && after.length === before.length) return { text, helpers }
  return { text: editedText(setJsonAt(text, ["helpers"], after, projectFileShape)), helpers }
}

interface SuiteMerge extends SuitesMerge {
  readonly name: string
  readonly base: SuiteState | undefined
  readonly next: JsonObject
}

/** The fields of a suite that are lists of entries. */
const entryFields: readonly string[] = ["before", "workflows", "finally"]

const isEntryField = (field: string): boolean => entryFields.includes(field)

/** A suite while it is merged. */
interface Merging extends SuiteMerge {
  text: string
  readonly known: SuiteState
  readonly fields: Record<string, string>
  readonly entries: Record<string, string>
  readonly conflicts: string[]
}

function mergeSuite(merge: SuiteMerge) {
  const merging: Merging = {
    ...merge,
    known: merge.base ?? { fields: {}, entries: {} },
    fields: {},
    entries: {},
    conflicts: [],
  }
  mergeFields(merging)
  removeEntries(merging)
  mergeEntries(merging)
  const { text, fields, entries, conflicts } = merging
  return { text, state: { fields, entries }, conflicts }
}

interface JudgedUnit {
  readonly unit: string
  readonly current: JsonValue | undefined
  readonly next: JsonValue | undefined
}

function judge(merging: Merging, kind: keyof SuiteState, { unit, current, next }: JudgedUnit): Verdict {
  const digestOf = (value: JsonValue | undefined) =>
    value === undefined ? undefined : merging.digest(stringifyJson(value))
  const base = ownOf(merging.known[kind], unit)
  const versions = { base, current: digestOf(current), next: digestOf(next) }
  const verdict = decideUnit(versions)
  if (verdict === "conflict") merging.conflicts.push(unit)
  const remembered = rememberUnit(versions)
  if (remembered !== undefined) setOwn(merging[kind], unit, remembered)
  return verdict
}

function mergeFields(merging: Merging): void {
  const { name, next, known } = merging
  for (const field of new Set([...Object.keys(next), ...Object.keys(known.fields)])) {
    if (isEntryField(field)) continue
    const pointer = ["suites", name, field]
    const value = member(next, field)
    const current = valueAt(valueOf(merging.text), pointer)
    if (judge(merging, "fields", { unit: field, current, next: value }) !== "take") continue
    merging.text = editedText(
      value === undefined
        ? deleteJsonAt(merging.text, pointer)
        : setJsonAt(merging.text, pointer, value, projectFileShape),
    )
  }
}

/** Removes entries that are no longer generated. Those that an earlier call made for other operations stay. */
function removeEntries(merging: Merging): void {
  const { name, next, known } = merging
  const generated = new Set(entriesIn(next).map((entry) => entry.name))
  for (const [unit, digest] of Object.entries(known.entries)) {
    if (generated.has(unit)) continue
    if (!merging.isLost(unit)) {
      setOwn(merging.entries, unit, digest)
      continue
    }
    const place = placeOfEntry(merging.text, name, unit)
    const verdict = judge(merging, "entries", { unit, current: place?.value, next: undefined })
    if (verdict === "take" && place !== undefined)
      merging.text = editedText(deleteJsonAt(merging.text, place.pointer))
  }
}

function mergeEntries(merging: Merging): void {
  const { name, next } = merging
  for (const { name: unit, field, value } of entriesIn(next)) {
    const place = placeOfEntry(merging.text, name, unit)
    if (judge(merging, "entries", { unit, current: place?.value, next: value }) !== "take") continue
    merging.text =
      place === undefined
        ? addEntry(merging.text, ["suites", name, field], value)
        : editedText(setJsonAt(merging.text, place.pointer, value, projectFileShape))
  }
}

function firstSuiteState(suite: JsonObject, digest: Digest): SuiteState {
  const fields: Record<string, string> = {}
  for (const [field, value] of Object.entries(suite))
    if (!isEntryField(field)) setOwn(fields, field, digest(stringifyJson(value)))
  const entries: Record<string, string> = {}
  for (const { name, value } of entriesIn(suite)) setOwn(entries, name, digest(stringifyJson(value)))
  return { fields, entries }
}

interface Entry {
  readonly name: string
  readonly value: JsonValue
  readonly field: string
  readonly pointer: JsonPointer
}

const entriesIn = (suite: JsonValue | undefined): readonly Entry[] =>
  entryFields.flatMap((field) => {
    const list = member(suite, field)
    return (isJsonArray(list) ? list : []).flatMap((value, index) => {
      const name =
        typeof value === "string" ? value : (textMember(value, "as") ?? textMember(value, "workflow"))
      return name === undefined ? [] : [{ name, value, field, pointer: [field, index] }]
    })
  })

function placeOfEntry(text: string, suite: string, name: string): Entry | undefined {
  const found = entriesIn(valueAt(valueOf(text), ["suites", suite])).find((entry) => entry.name === name)
  return found && { ...found, pointer: ["suites", suite, ...found.pointer] }
}

function addEntry(text: string, list: JsonPointer, entry: JsonValue): string {
  const now = valueAt(valueOf(text), list)
  return editedText(
    isJsonArray(now)
      ? insertJsonItem(text, list, now.length, entry)
      : setJsonAt(text, list, [entry], projectFileShape),
  )
}
