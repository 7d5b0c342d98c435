// Finds the names of inputs in the data files of suites: the header of a CSV file, and the keys of JSON rows.

import {
  isJsonArray,
  isJsonObject,
  isPattern,
  joinPath,
  type JsonValue,
  locateJson,
  objectMember,
  PROJECT_FILE,
  textMember,
} from "@callsheet/format"
import type { Mention } from "./named.ts"
import { entriesIn } from "./settings-mentions.ts"
import { mentionAt } from "./workflow-mentions.ts"

/** Returns the data files that suites name, with the workflows that read them. `settings` is `callsheet.json`. */
export function rowFilesOf(settings: JsonValue | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [name, suite] of Object.entries(objectMember(settings, "suites") ?? {}))
    for (const { value, workflow } of entriesIn(suite, ["suites", name])) {
      const data = textMember(value, "data")
      const file = data === undefined ? undefined : joinPath(PROJECT_FILE, data)
      if (file === undefined || isPattern(workflow)) continue
      found.set(file, [...new Set([...(found.get(file) ?? []), workflow])])
    }
  return found
}

export function* rowMentions(file: string, text: string, workflows: readonly string[]): Generator<Mention> {
  const names = [...(/\.csv$/i.test(file) ? headerNames(text) : jsonNames(file, text))]
  for (const workflow of workflows)
    for (const { name, from, to } of names)
      yield { named: { is: "input", workflow, name }, declares: false, from, to }
}

interface RowName {
  readonly name: string
  readonly from: number
  readonly to: number
}

const cell = /(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^",\r\n]*))(?<end>,|\r|\n|$)/dy

function* headerNames(text: string): Generator<RowName> {
  cell.lastIndex = /^[\r\n]*/.exec(text)?.[0].length ?? 0
  for (;;) {
    const match = cell.exec(text)
    const [from, to] = match?.indices?.groups?.["quoted"] ?? match?.indices?.groups?.["plain"] ?? []
    if (match === null || from === undefined || to === undefined) return
    const name = text.slice(from, to)
    if (name !== "" && !name.includes('"')) yield { name, from, to }
    if (match.groups?.["end"] !== ",") return
  }
}

/** The most rows whose keys are read. */
const MAX_ROWS = 10_000

function* jsonNames(file: string, text: string): Generator<RowName> {
  if (/\.(?:jsonl|ndjson)$/i.test(file)) {
    let start = 0
    for (const line of text.split("\n", MAX_ROWS)) {
      for (const each of rowNames(line, [])) yield { ...each, from: each.from + start, to: each.to + start }
      start += line.length + 1
    }
    return
  }
  yield* rowNames(text, undefined)
}

function* rowNames(text: string, only: readonly [] | undefined): Generator<RowName> {
  const json = locateJson(text)
  const rows = only === undefined && isJsonArray(json.value) ? json.value.slice(0, MAX_ROWS) : undefined
  for (const [index, row] of (rows ?? [json.value]).entries())
    for (const name of Object.keys(isJsonObject(row) ? row : {}))
      for (const { from, to } of mentionAt(json, rows === undefined ? [name] : [index, name], "key", nothing))
        yield { name, from, to }
}

const nothing: Pick<Mention, "named" | "declares"> = { named: { is: "file", name: "" }, declares: false }
