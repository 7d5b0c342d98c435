// Writes findings into the project: the workflow, a saved request and a row for each, and their suite. Nothing that is
// there changes, apart from rows and entries that are added.

import {
  editedText,
  insertJsonItem,
  isJsonArray,
  isJsonObject,
  member,
  parseJson,
  PROJECT_FILE,
  projectFileShape,
  setJsonAt,
  valueAt,
  type JsonValue,
} from "@callsheet/format"
import { generatedText, PROBE } from "@callsheet/language"
import { applyTextEdits, readTextFile, type TextEdit } from "@callsheet/project"
import type { Found, ProbeFinding } from "./find-probes.ts"
import type { Probe } from "./plan-probes.ts"
import { rowsText } from "./run-probes.ts"

export interface WrittenFindings {
  readonly files: readonly string[]
  readonly findings: readonly ProbeFinding[]
}

export async function writeFindings(root: string, found: readonly Found[]): Promise<WrittenFindings> {
  const writing = new Writing(root)
  const findings = found.map(({ probe, kind, status }): ProbeFinding => {
    const row = writing.add(probe)
    const { draft, parameter, value } = probe
    const { operation, workflow } = draft
    return { operation: operation.name, parameter, value, status, kind, workflow, row }
  })
  const edits = found.length === 0 ? [] : writing.edits(found.map(({ probe }) => probe))
  if (edits.length > 0) await applyTextEdits({ root, title: "keep what probes found", edits })
  return { files: edits.map(({ file }) => file), findings }
}

class Writing {
  readonly #root: string
  readonly #before = new Map<string, string | undefined>()
  readonly #after = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  /** Adds the files of a finding. Returns the number of its row. */
  add({ draft, instance, row }: Probe): number {
    for (const file of draft.files) this.#addOnce(file.path, generatedText(file))
    this.#addOnce(instance.file, instance.text)
    const text = this.#read(draft.data) ?? ""
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
    const line = rowsText([row]).trimEnd()
    const known = lines.indexOf(line)
    if (known !== -1) return known + 1
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`
    this.#after.set(draft.data, `${start}${line}\n`)
    return lines.length + 1
  }

  edits(probes: readonly Probe[]): readonly TextEdit[] {
    this.#addToSettings(probes)
    return [...this.#after].map(([file, after]) => ({
      file,
      before: this.#before.get(file) ?? null,
      after,
      isSecret: false,
    }))
  }

  #read(file: string): string | undefined {
    const changed = this.#after.get(file)
    if (changed !== undefined) return changed
    if (!this.#before.has(file)) this.#before.set(file, readTextFile(this.#root, { file })?.text)
    return this.#before.get(file)
  }

  #addOnce(file: string, text: string): void {
    if (this.#read(file) === undefined) this.#after.set(file, text)
  }

  /** Adds the entries to the suite, and the workflows to the helpers, because they need a row. */
  #addToSettings(probes: readonly Probe[]): void {
    const before = this.#read(PROJECT_FILE)
    let text = before ?? `{\n  "version": 1\n}\n`
    const set = (pointer: readonly (string | number)[], value: JsonValue): void => {
      text = editedText(setJsonAt(text, pointer, value, projectFileShape))
    }
    const listOf = (...pointer: readonly string[]): readonly JsonValue[] | undefined => {
      const list = valueAt(settingsIn(text), pointer)
      return isJsonArray(list) ? list : undefined
    }
    const append = (pointer: readonly string[], value: JsonValue): void => {
      const list = listOf(...pointer)
      if (list === undefined) set(pointer, [value])
      else text = editedText(insertJsonItem(text, pointer, list.length, value))
    }
    for (const draft of new Set(probes.map((probe) => probe.draft))) {
      for (const { path } of draft.files) {
        const name = /^apis\/workflow\/(.+)\.json$/.exec(path)?.[1]
        if (name !== undefined && listOf("helpers")?.includes(name) !== true) append(["helpers"], name)
      }
      const pointer = ["suites", PROBE, "workflows"]
      const isKnown = listOf(...pointer)?.some((entry) => member(entry, "workflow") === draft.workflow)
      if (isKnown !== true) append(pointer, draft.entry as unknown as JsonValue)
    }
    if (text !== before) this.#after.set(PROJECT_FILE, text)
  }
}

/** Parses `callsheet.json`. A run has read it without errors. */
function settingsIn(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("callsheet.json can't be edited")
  return parsed.value
}
