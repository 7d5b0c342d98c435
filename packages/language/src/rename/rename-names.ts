// Renames a block or an input in the text of its workflow, with everything that reads it.

import {
  rawBlocks,
  renameJsonKey,
  replaceJsonValues,
  setJsonAt,
  valueAt,
  workflowShape,
  type EditedJson,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { takenNames } from "../names/free-name.ts"
import { renamedReferences } from "./rename-references.ts"

/** The text of a workflow. It must parse. */
export interface WorkflowText {
  readonly text: string
  readonly value: JsonValue
}

interface Renamed {
  readonly text: string
  /** The number of updated strings. */
  readonly reading: number
}

/** Returns whether a block, an input or an iterator has the name. */
export const isTaken = ({ text, value }: WorkflowText, name: string): boolean =>
  mayOccur(text, name, 0) && takenNames(value).has(name)

/** Renames a block, and updates all references, unless another block has the same id. */
export function renameBlock({ text, value }: WorkflowText, block: JsonPointer, id: string): Renamed {
  const before = valueAt(value, [...block, "id"])
  const isRead =
    typeof before === "string" && before !== "" && mayOccur(text, before, 1) && isOnly(value, before)
  const reading = isRead ? renamedReferences(value, new Map([[before, id]])) : []
  const named = requireText(setJsonAt(text, [...block, "id"], id, workflowShape))
  const fixed = reading.length === 0 ? named : requireText(replaceJsonValues(named, reading))
  return { text: fixed, reading: reading.length }
}

/** Returns undefined if the name is taken. */
export function renameInput({ text, value }: WorkflowText, name: string, to: string): Renamed | undefined {
  if (takenNames(value).has(to)) return undefined
  const changes = renamedReferences(value, new Map([[name, to]]))
  const fixed = replaceJsonValues(text, changes)
  const renamed = fixed.ok ? renameJsonKey(fixed.text, ["inputs", name], to) : fixed
  return renamed.ok ? { text: renamed.text, reading: changes.length } : undefined
}

/** Returns false if the text contains the name at most this often. Searching the text is faster than all values. */
function mayOccur(text: string, name: string, most: 0 | 1): boolean {
  if (!/^[\w-]+$/.test(name) || text.includes("\\u") || text.includes('[\\"')) return true
  return most === 0 ? text.includes(name) : text.indexOf(name) !== text.lastIndexOf(name)
}

/** Returns whether only one block has the id. Otherwise, references are ambiguous. */
function isOnly(value: JsonValue, id: string): boolean {
  let found = 0
  for (const { block } of rawBlocks(value)) if (block["id"] === id) found++
  return found === 1
}

function requireText(edited: EditedJson): string {
  if (!edited.ok) throw new Error("can't edit blocks in invalid JSON")
  return edited.text
}
