// The blocks for a request that was sent, and the assertions on its response. Pure.

import { checkId, isWorkflowName, nameKey, type JsonObject, type JsonValue } from "@callsheet/format"
import { addBlocks, type Document, type Done } from "../../kinds/block-edits.ts"
import { freeName, takenNames } from "@callsheet/language"
import { slotFor, type Slot } from "../../blocks/block-place.ts"
import { outlineRows, type OutlineRow } from "../../blocks/block-rows.ts"
import { activeRow, type editorNow } from "../../blocks/editor-state.ts"
import { pathOf, type Assertion } from "../../kinds/values/value-edits.ts"
import { kindViewOf } from "../../kinds/index.ts"
import type { ValueAssertion } from "./value-assertion.ts"

/** A request that was sent, or may be, without a block. */
export interface NewRequest {
  /** The id of the block and the name of a new workflow are made from this. */
  readonly name: string
  /** The `request` of the block, with its values. */
  readonly request: JsonObject
}

/** Returns the request block, and after it the assertions on its response. */
export function newBlocks(
  { name, request }: NewRequest,
  assertions: readonly ValueAssertion[],
  taken: ReadonlySet<string>,
): readonly JsonObject[] {
  const id = freeName(idOf(name), taken)
  const check = {
    id: freeName(`check-${id}`, taken),
    type: "assert",
    assertions: assertions.map((one) => writtenAssertion(id, one)),
  }
  return [{ id, type: "request", request }, ...(assertions.length === 0 ? [] : [check])]
}

/** Returns the assertion as it is written in the file. */
export const writtenAssertion = (block: string, { steps, operator, value }: ValueAssertion): Assertion => ({
  source: pathOf({ block, steps }),
  operator,
  ...(value === undefined ? {} : { value }),
})

/** Converts the name of a saved request to an id: `new order` becomes `new-order`. Otherwise, returns `request`. */
function idOf(name: string): string {
  const id = name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "")
  return id === "" || checkId(id) !== undefined ? "request" : id
}

/** Returns an unused name for a workflow that starts with the request. */
export function workflowNameFor({ name }: NewRequest, names: readonly string[]): string {
  const id = idOf(name)
  const wanted = isWorkflowName(id) ? id : "workflow"
  const isTaken = names.some((one) => nameKey(one) === nameKey(wanted))
  return freeName(wanted, new Set(isTaken ? [...names, wanted] : names))
}

/** Adds the blocks after the selected one, or at the end. Only the request block is selected afterwards. */
export function addAfterSelection(
  document: Document,
  editor: ReturnType<typeof editorNow>,
  blocks: (taken: ReadonlySet<string>) => readonly JsonValue[],
): Done {
  const rows = outlineRows(document.value, editor.closed)
  const slot = slotAfter(rows, rows[activeRow(rows, editor)])
  const { text, selected } = addBlocks(document, slot, blocks(takenNames(document.value)))
  return { text, selected: selected.slice(0, 1) }
}

/** Doesn't separate a request from the checks that follow it. */
function slotAfter(rows: readonly OutlineRow[], row: OutlineRow | undefined): Slot {
  const slot = slotFor(row)
  if (row?.row !== "block") return slot
  let { index } = slot
  for (const other of rows.slice(rows.indexOf(row) + 1)) {
    if (other.depth < row.depth) break
    if (other.depth > row.depth) continue
    if (other.row !== "block" || other.kind === undefined || kindViewOf(other.kind)?.looksBack !== true) break
    index++
  }
  return { ...slot, index }
}
