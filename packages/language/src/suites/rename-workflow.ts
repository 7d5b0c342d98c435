// Renames a workflow in the suites of `callsheet.json`, and lists the places to check manually.

import {
  editedText,
  isPattern,
  matches,
  type EntryList,
  type EntrySettings,
  type JsonChange,
  type JsonPointer,
  type Problem,
  type Project,
  replaceJsonValues,
  type SuiteSettings,
  valueStrings,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { reportTo } from "../names/scripts.ts"
import { renamedText } from "../rename/rename-references.ts"

/**
 * Renames a workflow in `helpers`, in entries, and in inputs that read results of an entry with its name. Doesn't change patterns,
 * but warns if one matches only the old or the new name.
 */
export function renameWorkflow({ settingsFile }: Pick<Project, "settingsFile">, from: string, to: string) {
  const changes: JsonChange[] = []
  const warnings: Problem[] = []
  if (settingsFile === undefined) return { texts: [], warnings }
  const report = reportTo(settingsFile, (problem) => void warnings.push(problem))
  const { oneName } = messages["workflow-unknown"]
  for (const [name, suite] of Object.entries(settingsFile.settings?.suites ?? {})) {
    const names = new Map(hasReadEntry(suite, from, to) ? [[from, to]] : [])
    for (const { entry, pointer, at } of entriesOf(suite, ["suites", name])) {
      const { workflow, inputs } = entry
      if (workflow === from) changes.push({ pointer: at, value: to })
      else if (matches(from, workflow) !== matches(to, workflow))
        report(at, "value", oneName(workflow, from, to))
      for (const live of valueStrings(inputs, [...pointer, "inputs"])) {
        const value = renamedText(live, names)
        if (value !== live.text) changes.push({ pointer: live.pointer, value })
      }
    }
  }
  for (const [index, helper] of (settingsFile.settings?.helpers ?? []).entries()) {
    const at = ["helpers", index]
    if (helper === from) changes.push({ pointer: at, value: to })
    else if (matches(from, helper) !== matches(to, helper)) report(at, "value", oneName(helper, from, to))
  }
  if (changes.length === 0) return { texts: [], warnings }
  const { file, text: before } = settingsFile
  return { texts: [{ file, before, after: editedText(replaceJsonValues(before, changes)) }], warnings }
}

/** Returns whether inputs can read an entry that has the workflow's name before and after the change. */
const hasReadEntry = ({ before = [] }: SuiteSettings, from: string, to: string): boolean =>
  before.some((form) => {
    const { workflow, as }: EntrySettings = typeof form === "string" ? { workflow: form } : form
    return (
      as === undefined &&
      (workflow === from || (isPattern(workflow) && matches(from, workflow) && matches(to, workflow)))
    )
  })

interface LocatedEntry {
  readonly entry: EntrySettings
  readonly pointer: JsonPointer
  /** The place of the workflow's name. */
  readonly at: JsonPointer
}

function* entriesOf(suite: SuiteSettings, pointer: JsonPointer): Generator<LocatedEntry> {
  for (const list of ["before", "workflows", "finally"] as const)
    yield* listed(suite[list], [...pointer, list])
}

function* listed(list: EntryList = [], pointer: JsonPointer): Generator<LocatedEntry> {
  for (const [index, form] of list.entries()) {
    const own = [...pointer, index]
    if (typeof form === "string") yield { entry: { workflow: form }, pointer: own, at: own }
    else {
      yield { entry: form, pointer: own, at: [...own, "workflow"] }
      yield* listed(form.finally, [...own, "finally"])
    }
  }
}
