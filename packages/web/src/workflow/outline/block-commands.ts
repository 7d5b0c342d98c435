// All commands on blocks by name: for shortcuts, menus, the palette and the list of shortcuts. Copied blocks are JSON, to
// paste into any workflow or editor.

import {
  blockKinds,
  childFieldsOf,
  isJsonObject,
  rawBlocks,
  traitsOf,
  type BlockKind,
  type JsonPointer,
  type JsonValue,
  jsonRangeAt,
  parseJson,
  valueAt,
} from "@callsheet/format"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import { newBlock } from "../../kinds/index.ts"
import { editFile, openFileNow } from "../../files/open-files.ts"
import { count } from "../../ui/formats.ts"
import { visibleText } from "../../ui/visible-text.ts"
import {
  addBlock,
  addBlocks,
  deleteBlocks,
  duplicateBlocks,
  moveBlocks,
  unwrapBlock,
  wrapBlocks,
  type Document,
  type Done,
} from "../../kinds/block-edits.ts"
import { blocksIn } from "../../blocks/block-ids.ts"
import { blockAt, keyOf, outermost, type Slot } from "../../blocks/block-place.ts"
import { type Moving, slotOfMove } from "../../kinds/block-moves.ts"
import { changeEditor, editorNow, selectBlocks, useNewBlock, say } from "../../blocks/editor-state.ts"
import { searchOperation } from "../../blocks/outline-dom.ts"

/** Makes an edit in one undo step, then selects and announces the result. */
function perform(file: WorkflowFile, action: (document: Document) => Done | undefined, words: string): void {
  const { text, value } = openFileNow(file)
  if (value === undefined) return say("The file is not valid JSON: fix it under JSON first.")
  const done = action({ text, value })
  if (done === undefined) return say("A block can't contain itself.")
  editFile(file, () => done.text)
  selectBlocks(file.workflow, done.selected, openFileNow(file).value)
  if (done.selected.length === 0) changeEditor(file.workflow, { active: undefined })
  say(words)
}

/** Returns `login`, or `3 blocks` for several. */
export function nameOf(file: WorkflowFile, blocks: readonly JsonPointer[]): string {
  const [only, ...others] = outermost(blocks)
  if (only === undefined || others.length > 0)
    return count(others.length + (only === undefined ? 0 : 1), "block")
  const { value } = openFileNow(file)
  const id = value === undefined ? undefined : valueAt(value, [...only, "id"])
  return typeof id === "string" && id !== "" ? visibleText(id.slice(0, 60)) : "the block"
}

export function add(file: WorkflowFile, slot: Slot, kind: BlockKind, apis: readonly string[]): void {
  perform(
    file,
    (document) => {
      const { request, api } = requestBefore(document.value, blockAt(slot))
      return addBlock(document, slot, newBlock(kind, { apis: api === undefined ? apis : [api], request }))
    },
    `Added ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} block`,
  )
  const isSearched = traitsOf(kind)?.result === "response"
  const text = isSearched ? undefined : openFileNow(file).text
  useNewBlock.setState({ key: editorNow(file.workflow).active, workflow: file.workflow, text })
  if (isSearched) searchOperation()
}

export const duplicate = (file: WorkflowFile, blocks: readonly JsonPointer[]): void =>
  perform(file, (document) => duplicateBlocks(document, blocks), `Duplicated ${nameOf(file, blocks)}`)

export const remove = (file: WorkflowFile, blocks: readonly JsonPointer[]): void =>
  perform(
    file,
    (document) => deleteBlocks(document, blocks),
    `Deleted ${nameOf(file, blocks)}. Press Ctrl Z to undo.`,
  )

export const moveTo = (file: WorkflowFile, blocks: readonly JsonPointer[], slot: Slot): void =>
  perform(file, (document) => moveBlocks(document, blocks, slot), `Moved ${nameOf(file, blocks)}`)

/** Moves blocks by one step, or announces why they can't move. */
export function move(file: WorkflowFile, blocks: readonly JsonPointer[], moving: Moving): void {
  const { value } = openFileNow(file)
  if (value === undefined || blocks.length === 0) return
  const found = slotOfMove(value, outermost(blocks), moving)
  if ("not" in found) return say(found.not)
  perform(
    file,
    (document) => moveBlocks(document, blocks, found.slot),
    `Moved ${nameOf(file, blocks)} ${found.words}`,
  )
}

export const wrappingKinds: readonly BlockKind[] = blockKinds
  .filter((kind) => childFieldsOf(kind).length > 0)
  .toReversed()

export const wrap = (file: WorkflowFile, blocks: readonly JsonPointer[], kind: BlockKind): void =>
  perform(
    file,
    (document) => {
      const [first] = outermost(blocks)
      const request = first === undefined ? undefined : requestBefore(document.value, first).request
      return wrapBlocks(document, blocks, newBlock(kind, { apis: [], request }))
    },
    `Wrapped ${nameOf(file, blocks)} in a ${kind}`,
  )

export const unwrap = (file: WorkflowFile, block: JsonPointer): void =>
  perform(file, (document) => unwrapBlock(document, block), `Unwrapped ${nameOf(file, [block])}`)

export function copy(file: WorkflowFile, blocks: readonly JsonPointer[]): string {
  const { text, value } = openFileNow(file)
  if (value === undefined || blocks.length === 0) return ""
  say(`Copied ${nameOf(file, blocks)}`)
  return copyText(text, outermost(blocks))
}

export function paste(file: WorkflowFile, slot: Slot, text: string): void {
  const parsed = parseBlocks(text)
  const blocks = parsed === undefined ? undefined : blocksIn(parsed)
  if (blocks === undefined)
    return say("The clipboard has no blocks. Copy a block's JSON or a list of blocks.")
  perform(file, (document) => addBlocks(document, slot, blocks), `Pasted ${count(blocks.length, "block")}`)
}

interface RequestBefore {
  readonly request?: string
  readonly api?: string | undefined
}

/** Returns the id and the API of the last request block before a position. It may be nested. */
function requestBefore(workflow: JsonValue, place: JsonPointer): RequestBefore {
  const end = keyOf(place)
  let found: RequestBefore = {}
  for (const { block, pointer } of rawBlocks(workflow)) {
    const here = pointer()
    if (keyOf(here) === end || startsAfter(here, place)) return found
    const { id, type, request } = block
    if (traitsOf(type)?.result !== "response" || typeof id !== "string" || id.includes("{{")) continue
    const api = isJsonObject(request) ? request["api"] : undefined
    found = { request: id, api: typeof api === "string" ? api : undefined }
  }
  return found
}

/** Returns whether the block comes after an empty position. */
function startsAfter(block: JsonPointer, place: JsonPointer): boolean {
  const at = block.findIndex((step, index) => step !== place[index])
  const [left, right] = [block[at], place[at]]
  return typeof left === "number" && typeof right === "number" && left > right
}

/** Returns a single block as its text in the file without the margin. Several blocks become a list. */
function copyText(text: string, blocks: readonly JsonPointer[]): string {
  const raw = blocks.map((block) => withoutMargin(text, block))
  const [only] = raw
  if (only !== undefined && raw.length === 1) return only
  return `[\n${raw.map((block) => block.replaceAll(/^/gm, "  ")).join(",\n")}\n]`
}

function withoutMargin(text: string, block: JsonPointer): string {
  const range = jsonRangeAt(text, block)
  if (range === undefined) return ""
  const line = Math.max(text.lastIndexOf("\n", range.from - 1), text.lastIndexOf("\r", range.from - 1)) + 1
  const margin = /^[ \t]*/.exec(text.slice(line, range.from))?.[0] ?? ""
  return text
    .slice(range.from, range.to)
    .split(/\r\n|\n|\r/)
    .map((part, at) => (at > 0 && part.startsWith(margin) ? part.slice(margin.length) : part))
    .join("\n")
}

function parseBlocks(text: string): JsonValue | undefined {
  const parsed = parseJson(text.trim())
  return parsed.ok ? parsed.value : undefined
}
