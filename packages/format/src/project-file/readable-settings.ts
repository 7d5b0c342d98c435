// Reads the sound parts of a `callsheet.json` that has errors, so that the rest of the file can still be checked.

import { parseJson } from "../json/parse-json.ts"
import { recoverJson } from "../json/recover-json.ts"
import { valueAt, type JsonPointer } from "../json/pointer.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { checkShape, MAX_FINDINGS, type ShapeFinding } from "../shape/check-shape.ts"
import type { Problem } from "../problems.ts"
import type { SourceFile } from "../source.ts"
import { projectFileShape, type ProjectSettings } from "./project-file-shape.ts"

export interface ReadableSettings {
  /** The file without its broken parts. */
  readonly settings: ProjectSettings
  /** The values that were left out or replaced. */
  readonly broken: readonly JsonPointer[]
}

/** `callsheet.json`. `settings` is absent if `problems` contains errors. */
export interface SettingsFile extends SourceFile {
  readonly settings?: ProjectSettings | undefined
  /** The parts without errors. Absent if the whole file has none, or can't be read at all. */
  readonly readable?: ReadableSettings | undefined
  readonly problems: readonly Problem[]
}

/** Returns the sound parts of the file, which may be all of it. */
export const soundSettings = ({ settings, readable }: SettingsFile): ReadableSettings | undefined =>
  settings === undefined ? readable : { settings, broken: [] }

/** Stands for the workflow of an unreadable entry, so that other entries keep their positions. */
export const NO_WORKFLOW = ""

const entryLists: ReadonlySet<string | number | undefined> = new Set(["before", "workflows", "finally"])

/** Returns what can be read. Undefined if that is nothing. `nested` are entries that nest too deep to be read. */
export function readableSettings(text: string, nested: readonly JsonPointer[]): ReadableSettings | undefined {
  const parsed = parseJson(text)
  const recovered = parsed.ok ? undefined : recoverJson(text)
  const file = parsed.ok ? parsed.value : recovered?.value
  if (!isJsonObject(file)) return undefined
  const repair = new Repair({ ...file, version: 1 })
  repair.broken.push(...(recovered?.damage ?? []).map(({ pointer }) => pointer))
  for (const pointer of nested) repair.remove(pointer)
  for (let findings = repair.findings(); findings.length > 0; findings = repair.findings()) {
    // The list of findings is truncated, so some broken parts are unknown.
    if (findings.length > MAX_FINDINGS) return undefined
    for (const finding of findings) repair.fix(finding)
  }
  // Safe cast: everything else has the type of its shape.
  return { settings: repair.file as JsonObject & ProjectSettings, broken: repair.broken }
}

class Repair {
  readonly file: JsonObject
  readonly broken: JsonPointer[] = []
  readonly #standIns = new Set<string>()

  constructor(file: JsonObject) {
    this.file = file
  }

  /** Returns the findings that are left. A suite can be read whatever its name is. */
  findings(): readonly ShapeFinding[] {
    return checkShape(projectFileShape, this.file).filter(
      ({ pointer, at, code }) =>
        !this.#standIns.has(JSON.stringify(pointer)) &&
        (at === "value" || code === "field-unknown" || pointer.length !== 2),
    )
  }

  /** Each call removes or replaces something, so that no finding is left in the end. */
  fix({ pointer, code }: ShapeFinding): void {
    const holder = code === "field-missing" ? valueAt(this.file, pointer) : undefined
    if (!isJsonObject(holder)) return this.remove(pointer)
    if (pointer[0] === "suites" && pointer.length === 2) this.#set(holder, [...pointer, "workflows"], [])
    else if (entryLists.has(pointer.at(-2))) this.#set(holder, [...pointer, "workflow"], NO_WORKFLOW)
    else this.remove(pointer)
  }

  remove(pointer: JsonPointer): void {
    const outer = pointer.slice(0, -1)
    const holder = valueAt(this.file, outer)
    if (isJsonArray(holder)) {
      if (entryLists.has(outer.at(-1))) this.#set(holder, pointer, NO_WORKFLOW)
      else this.remove(outer)
    } else if (isJsonObject(holder)) {
      this.broken.push(pointer)
      delete (holder as Record<string, JsonValue>)[String(pointer.at(-1))]
    }
  }

  #set(holder: JsonValue, pointer: JsonPointer, value: JsonValue): void {
    this.broken.push(pointer)
    this.#standIns.add(JSON.stringify(pointer))
    Object.defineProperty(holder, String(pointer.at(-1)), {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
}
