// Renames blocks, inputs and iterators of a workflow in every placeholder and path that reads them.

import {
  childFields,
  escapePattern,
  parseTemplate,
  rawBlocks,
  tokensOf,
  valueStrings,
  type JsonChange,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type LiveString,
} from "@callsheet/format"
import { HOLE, patternOf } from "../names/name-pattern.ts"
import { headAt } from "../references/path-heads.ts"
import { pastBlanks } from "../references/variable-uses.ts"

export type Renames = ReadonlyMap<string, string>

/** Returns the changed strings of a workflow, valid or not. They read one of the renamed names. */
export function renamedReferences(
  workflow: JsonValue,
  renames: Renames,
  within: JsonPointer = ["blocks"],
): readonly JsonChange[] {
  const rename = renameIn(renames, workflow)
  const mayRead = readingTest(renames)
  const changes: JsonChange[] = []
  for (const { block, pointer } of rawBlocks(workflow, within)) {
    for (const live of liveStrings(block, mayRead)) {
      const text = rename(live)
      if (text !== live.text) changes.push({ pointer: [...pointer(), ...live.pointer], value: text })
    }
  }
  return changes
}

/** Returns a string with the renamed names in its placeholders. */
export const renamedText = (live: LiveString, renames: Renames): string => renameIn(renames, {})(live)

const nestedFields: ReadonlySet<string> = new Set(childFields)

/** Returns the strings of a block, even if it is invalid, and its id, which may contain names of iterators. */
export function liveStrings(
  block: JsonObject,
  isWanted: (text: string) => boolean = () => true,
): readonly LiveString[] {
  return Object.entries(block).flatMap(([field, value]) => {
    if (field === "type" || nestedFields.has(field)) return []
    if (typeof value === "string" && !isWanted(value)) return []
    return valueStrings(value, [field], isWanted).map((live): LiveString =>
      isPathField(live.pointer) ? { pointer: live.pointer, text: live.text, is: "path" } : live,
    )
  })
}

/** The maximum number of names to search for in a string. With more, parsing it is faster. */
const MAX_SEARCHED_NAMES = 8

/**
 * Returns a quick test that excludes most irrelevant strings. Quoted names always pass, because they may contain
 * escapes.
 */
function readingTest(renames: Renames): (text: string) => boolean {
  if (renames.size > MAX_SEARCHED_NAMES) return () => true
  const names = [...renames.keys()].map(literalsOf)
  return (text) =>
    text.includes('["') || names.some((literals) => literals.every((literal) => text.includes(literal)))
}

function isPathField([field, step, last, ...rest]: JsonPointer): boolean {
  if (rest.length > 0) return false
  if (field === "assertions") return last === "source"
  if (last !== undefined) return false
  if (field === "if" || field === "until") return step === "source"
  return field === "transforms" ? step !== undefined : field === "source" && step === undefined
}

function renameIn(renames: Renames, workflow: JsonValue): (live: LiveString) => string {
  const newName = nameChanger(renames, workflow)
  return ({ text, is }) => {
    const template = parseTemplate(text)
    if (!template.ok) return text
    const starts = tokensOf(template.parts).map(({ offset }) => pastBlanks(text, offset + 2))
    if (is === "path") starts.push(0)
    let renamed = text
    // Replace from last to first, so that earlier offsets stay valid.
    for (const start of starts.sort((a, b) => b - a)) {
      const head = headAt(renamed, start)
      const name = head === undefined ? undefined : newName(head.name)
      if (head === undefined || name === undefined) continue
      const written = head.isQuoted ? `[${JSON.stringify(name)}]` : name
      renamed = renamed.slice(0, start) + written + renamed.slice(head.end)
    }
    return renamed
  }
}

/** Returns a function from an old to a new name. `item-3` matches the id `item-{{index}}`, unless a block has that id. */
function nameChanger(renames: Renames, workflow: JsonValue): (name: string) => string | undefined {
  const patterns = [...renames].flatMap(([from, to]) => {
    const [before, after] = [literalsOf(from), literalsOf(to)]
    if (before.length < 2 || before.length !== after.length) return []
    const source = before.map(escapePattern).join("(.+?)")
    return [{ pattern: new RegExp(`^${source}$`, "u"), after }]
  })
  if (patterns.length === 0) return (name) => renames.get(name)
  const ids = new Set([...rawBlocks(workflow)].map(({ block }) => block["id"]))
  return (name) => {
    const exact = renames.get(name)
    if (exact !== undefined || ids.has(name) || name.includes("{{")) return exact
    for (const { pattern, after } of patterns) {
      const values = pattern.exec(name)
      if (values !== null)
        return after.map((part, index) => (index === 0 ? "" : (values[index] ?? "")) + part).join("")
    }
    return undefined
  }
}

function literalsOf(id: string): readonly string[] {
  const template = parseTemplate(id)
  return template.ok ? patternOf(template.parts).split(HOLE) : [id]
}
