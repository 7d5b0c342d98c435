// Parses and checks `callsheet.json`, without the rest of the project.

import type { JsonPointer } from "../json/pointer.ts"
import { isJsonArray, isJsonObject, ownOf, type JsonObject, type JsonValue, member } from "../json/value.ts"
import { messages } from "../messages.ts"
import { byPosition, hasErrors, type Finding, type Problem } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import type { SourceFile } from "../source.ts"
import { valueStrings } from "../workflow/blocks/definition.ts"
import { checkLiveString } from "../workflow/check-workflow.ts"
import { formatPlace } from "../workflow/path.ts"
import { projectFileShape, reporterNames, splitReporter, type ProjectSettings } from "./project-file-shape.ts"
import { readableSettings, type ReadableSettings } from "./readable-settings.ts"
import { checkWrittenPath } from "./written-path.ts"

export const PROJECT_FILE = "callsheet.json"

/** Limits how deep entries nest, because callers visit them recursively. */
const MAX_NESTED_ENTRIES = 20

interface CheckedProjectFile {
  /** The contents of the file. Absent if `problems` contains errors. */
  readonly settings?: ProjectSettings | undefined
  /** The parts without errors. Absent if the whole file has none, or can't be read at all. */
  readonly readable?: ReadableSettings | undefined
  readonly problems: readonly Problem[]
}

/**
 * Reads and checks `callsheet.json`. `validate` checks that the workflows, APIs, environments and inputs it names
 * exist.
 */
export function checkProjectFile(source: SourceFile): CheckedProjectFile {
  const { json, recovered, value, problems, problemAt } = checkFile(source, projectFileShape)
  const report = (pointer: JsonPointer, finding: Finding): void => {
    if (recovered?.isTrusted({ pointer, at: "value" }) !== false)
      problems.push(problemAt(pointer, "value", finding))
  }
  const nested: JsonPointer[] = []
  for (const { entry, pointer, depth } of entriesOf(json)) {
    if (depth > MAX_NESTED_ENTRIES) {
      nested.push(pointer)
      const { nestedEntries } = messages["field-value"]
      report(pointer, nestedEntries(formatPlace(pointer), MAX_NESTED_ENTRIES))
      continue
    }
    for (const live of valueStrings(entry["inputs"], [...pointer, "inputs"])) {
      const finding = checkLiveString(live, () => live.pointer)
      if (finding !== undefined) report(live.pointer, finding)
    }
  }
  const defaults = member(json, "defaults")
  for (const { file, pointer } of reporterFilesOf(isJsonObject(defaults) ? defaults["reporters"] : [])) {
    const finding = checkWrittenPath(file)
    if (finding !== undefined) report(pointer, finding)
  }
  const sorted = byPosition(problems)
  if (!hasErrors(problems)) return { settings: value, problems: sorted }
  const readable = json === undefined ? undefined : readableSettings(source.text, nested)
  return { settings: undefined, readable, problems: sorted }
}

/** Yields the files that `defaults.reporters` names, even in a broken file. */
export function* reporterFilesOf(reporters: JsonValue | undefined) {
  for (const [index, text] of isJsonArray(reporters) ? reporters.entries() : []) {
    const { name, file } = splitReporter(typeof text === "string" ? text : "")
    const reporter = reporterNames.find((known) => known === name)
    if (reporter !== undefined && file !== undefined && file !== "")
      yield { reporter, file, pointer: ["defaults", "reporters", index] as const }
  }
}

interface LocatedEntry {
  readonly entry: JsonObject
  readonly pointer: JsonPointer
  readonly depth: number
}

/** Yields the objects in lists of entries, even in a broken file. Doesn't enter entries that nest too deep. */
function* entriesOf(file: JsonValue | undefined): Generator<LocatedEntry> {
  const suites = member(file, "suites")
  const work: { list: JsonValue | undefined; pointer: JsonPointer; depth: number }[] = []
  for (const [name, suite] of isJsonObject(suites) ? Object.entries(suites) : [])
    for (const field of ["before", "workflows", "finally"])
      if (isJsonObject(suite))
        work.push({ list: ownOf(suite, field), pointer: ["suites", name, field], depth: 0 })
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { list, depth } = item
    for (const [index, entry] of isJsonArray(list) ? list.entries() : []) {
      if (!isJsonObject(entry)) continue
      const pointer = [...item.pointer, index]
      yield { entry, pointer, depth }
      if (depth <= MAX_NESTED_ENTRIES)
        work.push({ list: entry["finally"], pointer: [...pointer, "finally"], depth: depth + 1 })
    }
  }
}
