// Merges a generated workflow into the file of the project, by the ids of blocks. Every other byte of the file stays.

import {
  editedText,
  childFields,
  deleteJsonAt,
  insertJsonItem,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  member,
  parseJson,
  rawBlocks,
  setJsonAt,
  setOwn,
  stringifyJson,
  textMember,
  valueAt,
  type WorkflowState,
  workflowShape,
} from "@callsheet/format"
import { decideUnit, rememberUnit, type Verdict, type Versions } from "./decide-unit.ts"
import { valueOf } from "./edited-json.ts"

export type Digest = (text: string) => string

export interface WorkflowMerge {
  /** The text in the project. */
  readonly text: string
  readonly base: WorkflowState | undefined
  /** The workflow as generated now. Undefined if the document no longer has its operations. */
  readonly next: JsonObject | undefined
  readonly digest: Digest
}

export type MergedWorkflow =
  | {
      readonly isReadable: true
      /** The new text, or undefined if nothing of the file is left. */
      readonly text: string | undefined
      /** The blocks, or undefined for a field of the workflow, whose hand edits stay. */
      readonly conflicts: readonly (string | undefined)[]
      readonly state: WorkflowState | undefined
    }
  /** The text has a syntax error or isn't a workflow. */
  | { readonly isReadable: false }

export function mergeWorkflow({ text, base, next, digest }: WorkflowMerge): MergedWorkflow {
  const parsed = parseJson(text.replace(/^\ufeff/, ""))
  const current = parsed.ok ? parsed.value : undefined
  if (!isJsonObject(current) || !isJsonArray(member(current, "blocks"))) return { isReadable: false }
  const known = base ?? { fields: {}, blocks: {} }
  const own = unitsOf(current)
  const judge = createJudge(digest)
  if (next === undefined) {
    const units = [...judge(known.fields, own.fields), ...judge(known.blocks, own.blocks)]
    const isUntouched = units.every(({ base: before, current: now }) => now === undefined || now === before)
    return isUntouched
      ? { isReadable: true, text: undefined, conflicts: [], state: undefined }
      : { isReadable: true, text, conflicts: [undefined], state: known }
  }
  const generated = unitsOf(next)
  const fields = judge(known.fields, own.fields, generated.fields)
  const blocks = judge(known.blocks, own.blocks, generated.blocks)
  const conflicts = [
    ...blocks.filter(({ verdict }) => verdict === "conflict").map(({ name }) => name),
    ...(fields.some(({ verdict }) => verdict === "conflict") ? [undefined] : []),
  ]
  const edited = editBlocks(editFields(text, fields, next), blocks, next)
  return { isReadable: true, text: edited, conflicts, state: stateOf(fields, blocks) }
}

/** Returns the state of a workflow that is written for the first time. */
export function firstState(workflow: JsonObject, digest: Digest): WorkflowState {
  const { fields, blocks } = unitsOf(workflow)
  const digests = (units: ReadonlyMap<string, Unit>): Record<string, string> => {
    const result: Record<string, string> = {}
    for (const [name, { value }] of units) setOwn(result, name, digest(stringifyJson(value)))
    return result
  }
  return { fields: digests(fields), blocks: digests(blocks) }
}

interface Unit {
  readonly value: JsonValue
  readonly pointer: JsonPointer
}

interface Units {
  readonly fields: ReadonlyMap<string, Unit>
  readonly blocks: ReadonlyMap<string, Unit>
}

/** Returns what is merged on its own: each field, each input, and each block without the blocks in it. */
function unitsOf(workflow: JsonObject): Units {
  const fields = new Map<string, Unit>()
  for (const [name, value] of Object.entries(workflow)) {
    if (name === "blocks" || name === "$schema") continue
    if (name !== "inputs" || !isJsonObject(value)) fields.set(name, { value, pointer: [name] })
    else
      for (const [input, declaration] of Object.entries(value))
        fields.set(`inputs/${input}`, { value: declaration, pointer: ["inputs", input] })
  }
  const blocks = new Map<string, Unit>()
  for (const { block, pointer } of rawBlocks(workflow)) {
    const id = textMember(block, "id")
    if (id !== undefined && !blocks.has(id)) blocks.set(id, { value: ownPart(block), pointer: pointer() })
  }
  return { fields, blocks }
}

function ownPart(block: JsonObject): JsonObject {
  const own: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(block)) if (!childFields.includes(name)) setOwn(own, name, value)
  return own
}

interface Judged extends Versions {
  readonly name: string
  readonly verdict: Verdict
}

const createJudge =
  (digest: Digest) =>
  (
    base: Readonly<Record<string, string>>,
    current: ReadonlyMap<string, Unit>,
    next: ReadonlyMap<string, Unit> = new Map(),
  ): readonly Judged[] => {
    const bases = new Map(Object.entries(base))
    const digestOf = (unit: Unit | undefined) => unit && digest(stringifyJson(unit.value))
    const names = new Set([...next.keys(), ...bases.keys(), ...current.keys()])
    return [...names].map((name) => {
      const versions = {
        base: bases.get(name),
        current: digestOf(current.get(name)),
        next: digestOf(next.get(name)),
      }
      return { name, ...versions, verdict: decideUnit(versions) }
    })
  }

function stateOf(fields: readonly Judged[], blocks: readonly Judged[]): WorkflowState {
  const remember = (units: readonly Judged[]): Record<string, string> => {
    const result: Record<string, string> = {}
    for (const unit of units) {
      const digest = rememberUnit(unit)
      if (digest !== undefined) setOwn(result, unit.name, digest)
    }
    return result
  }
  return { fields: remember(fields), blocks: remember(blocks) }
}

function editFields(text: string, fields: readonly Judged[], next: JsonObject): string {
  let edited = text
  for (const { name, verdict } of fields) {
    if (verdict !== "take") continue
    const pointer = name.startsWith("inputs/") ? ["inputs", name.slice("inputs/".length)] : [name]
    const value = valueAt(next, pointer)
    edited = editedText(
      value === undefined ? deleteJsonAt(edited, pointer) : setJsonAt(edited, pointer, value, workflowShape),
    )
  }
  return edited
}

/** Removes blocks that are no longer generated, changes those that are, and adds new ones after their neighbors. */
function editBlocks(text: string, blocks: readonly Judged[], next: JsonObject): string {
  const taken = new Set(blocks.flatMap(({ name, verdict }) => (verdict === "take" ? [name] : [])))
  const generated = [...rawBlocks(next)]
  const ids = new Set(generated.map(({ block }) => textMember(block, "id")))
  let edited = text
  for (const id of taken) if (!ids.has(id)) edited = removeBlock(edited, id)
  for (const { block, pointer } of generated) {
    const id = textMember(block, "id")
    if (id === undefined || !taken.has(id)) continue
    const at = placeOf(edited, id)
    if (at !== undefined) edited = changeBlock(edited, at, block)
    else edited = addBlock(edited, { block, pointer: pointer(), next })
  }
  return edited
}

function placeOf(text: string, id: string): JsonPointer | undefined {
  for (const { block, pointer } of rawBlocks(valueOf(text))) if (block["id"] === id) return pointer()
  return undefined
}

/** Removes a block. Keeps it if a person put blocks into it. */
function removeBlock(text: string, id: string): string {
  const at = placeOf(text, id)
  const block = at && valueAt(valueOf(text), at)
  if (at === undefined || !isJsonObject(block)) return text
  const isEmpty = childFields.every((field) => (valueAt(block, [field, 0]) ?? null) === null)
  return isEmpty ? editedText(deleteJsonAt(text, at)) : text
}

/** Sets the members that differ, so that the layout of all others stays. */
function changeBlock(text: string, at: JsonPointer, block: JsonObject): string {
  const before = valueAt(valueOf(text), at)
  const names = new Set([...Object.keys(isJsonObject(before) ? before : {}), ...Object.keys(block)])
  let edited = text
  for (const name of names) {
    if (childFields.includes(name)) continue
    const value = member(block, name)
    if (value === undefined) edited = editedText(deleteJsonAt(edited, [...at, name]))
    else if (stringifyJson(value) !== stringifyJson(member(before, name) ?? null))
      edited = editedText(setJsonAt(edited, [...at, name], value, workflowShape))
  }
  return edited
}

interface NewBlock {
  readonly block: JsonObject
  readonly pointer: JsonPointer
  readonly next: JsonObject
}

/** Adds a block after the nearest generated block before it. Skips it if a person deleted the block around it. */
function addBlock(text: string, { block, pointer, next }: NewBlock): string {
  const list = pointer.slice(0, -1)
  // The blocks in it are added on their own.
  const own = { ...ownPart(block), ...emptyLists(block) }
  const before = valueAt(next, list)
  const neighbors = isJsonArray(before) ? before.slice(0, Number(pointer.at(-1))).reverse() : []
  for (const neighbor of neighbors) {
    const at = placeOf(text, textMember(neighbor, "id") ?? "")
    if (at !== undefined) return editedText(insertJsonItem(text, at.slice(0, -1), Number(at.at(-1)) + 1, own))
  }
  const field = list.at(-1) ?? "blocks"
  const outerId = list.length === 1 ? undefined : textMember(valueAt(next, list.slice(0, -1)), "id")
  const holder = outerId === undefined ? [] : placeOf(text, outerId)
  if (holder === undefined) return text
  const array = [...holder, field]
  return editedText(
    isJsonArray(valueAt(valueOf(text), array))
      ? insertJsonItem(text, array, 0, own)
      : setJsonAt(text, array, [own], workflowShape),
  )
}

const emptyLists = (block: JsonObject): JsonObject =>
  Object.fromEntries(
    childFields.filter((field) => isJsonArray(member(block, field))).map((field) => [field, []]),
  )
