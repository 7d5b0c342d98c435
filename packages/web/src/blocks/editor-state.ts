// The selection and the collapsed rows of each workflow, kept while the page is open, and the editor's last announcement.

import { type JsonPointer, type JsonValue, valueAt } from "@callsheet/format"
import { create } from "zustand"
import { keyOf } from "./block-place.ts"
import type { BlockRow, OutlineRow } from "./block-rows.ts"

interface EditorState {
  /** The key of the active row. Undefined if the workflow's settings are shown. */
  readonly active: string | undefined
  /** The id of the active block when it was selected. The block may have moved since. */
  readonly activeId: string
  /** The keys of the other selected rows, with the ids that the blocks had. */
  readonly others: ReadonlyMap<string, string>
  readonly anchor: string | undefined
  readonly closed: ReadonlySet<string>
}

const fresh: EditorState = {
  active: undefined,
  activeId: "",
  others: new Map(),
  anchor: undefined,
  closed: new Set(),
}

const useEditors = create<{ readonly editors: ReadonlyMap<string, EditorState> }>(() => ({
  editors: new Map(),
}))

interface NewBlock {
  readonly workflow: string
  readonly key: string | undefined
  /** The text after it was added. Undefined: its problems wait until the user leaves a field. */
  readonly text?: string | undefined
}

/** The block that was just added. Its problems are shown when the user edits it or leaves a field of its form. */
export const useNewBlock = create<NewBlock>(() => ({ workflow: "", key: undefined }))

export const useEditor = (workflow: string): EditorState =>
  useEditors(({ editors }) => editors.get(workflow) ?? fresh)

export const editorNow = (workflow: string): EditorState =>
  useEditors.getState().editors.get(workflow) ?? fresh

export function changeEditor(workflow: string, change: Partial<EditorState>): void {
  useEditors.setState(({ editors }) => ({
    editors: new Map(editors).set(workflow, { ...(editors.get(workflow) ?? fresh), ...change }),
  }))
}

export function selectRow(workflow: string, row: OutlineRow | undefined): void {
  changeEditor(workflow, {
    active: row?.key,
    activeId: row === undefined ? "" : idOf(row),
    others: new Map(),
    anchor: row?.key,
  })
}

const idOf = (row: OutlineRow): string => (row.row === "block" ? row.id : "")

const withIds = (rows: readonly OutlineRow[]): ReadonlyMap<string, string> =>
  new Map(rows.map((row) => [row.key, idOf(row)]))

/** The address at the time of the last selection. A block that it names was selected before. */
let selectedAt = ""

export const isSelectionNewerThanAddress = (): boolean => window.location.hash === selectedAt

/** Names the selection in the address, without a step in the browser's history. */
export function writeAddress(hash: string): void {
  if (hash !== window.location.hash) window.history.replaceState(window.history.state, "", hash)
  selectedAt = hash
}

/**
 * Selects blocks of a file by pointer. The first one becomes active. Their parents are expanded when they are shown.
 */
export function selectBlocks(
  workflow: string,
  blocks: readonly JsonPointer[],
  value: JsonValue | undefined,
): void {
  selectedAt = window.location.hash
  const selected = blocks.map((block): [string, string] => {
    const id = valueAt(value ?? null, [...block, "id"])
    return [keyOf(block), typeof id === "string" ? id : ""]
  })
  const [[active, activeId] = [undefined, ""], ...others] = selected
  changeEditor(workflow, { active, activeId, others: new Map(others), anchor: active })
}

export function selectTo(workflow: string, rows: readonly OutlineRow[], row: OutlineRow): void {
  const anchor = editorNow(workflow).anchor ?? row.key
  const [from, to] = [rows.findIndex(({ key }) => key === anchor), rows.indexOf(row)]
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  changeEditor(workflow, {
    active: row.key,
    activeId: idOf(row),
    others: withIds(between.filter((other) => other.row === "block")),
    anchor,
  })
}

/** Selects all visible blocks. The active one stays. */
export function selectAll(workflow: string, rows: readonly OutlineRow[]): void {
  const blocks = rows.filter((row) => row.row === "block")
  const [first] = blocks
  if (first === undefined) return
  const { active = first.key } = editorNow(workflow)
  changeEditor(workflow, { active, others: withIds(blocks), anchor: first.key })
}

export function toggleRow(workflow: string, row: OutlineRow): void {
  const { active, activeId, others } = editorNow(workflow)
  const selected = new Map(others)
  if (active !== undefined) selected.set(active, activeId)
  if (row.key === active || !selected.has(row.key)) selected.set(row.key, idOf(row))
  else selected.delete(row.key)
  changeEditor(workflow, {
    active: row.key,
    activeId: idOf(row),
    others: selected,
    anchor: row.key,
  })
}

export function openRow(workflow: string, name: string, isOpen: boolean): void {
  const closed = new Set(editorNow(workflow).closed)
  if (isOpen) closed.delete(name)
  else closed.add(name)
  changeEditor(workflow, { closed })
}

/**
 * Returns the index of the active row. If it has moved, returns its new index. If it is gone, returns the nearest one.
 * -1 stands for the settings.
 */
export function activeRow(rows: readonly OutlineRow[], { active, activeId }: EditorState): number {
  if (active === undefined) return -1
  const index = rows.findIndex(({ key }) => key === active)
  const row = rows[index]
  const isOther = row?.row === "block" && activeId !== "" && row.id !== activeId
  if (row !== undefined && !isOther) return index
  const moved =
    activeId === "" ? -1 : rows.findIndex((other) => other.row === "block" && other.id === activeId)
  if (moved !== -1 || index !== -1) return moved === -1 ? index : moved
  const around = rows.findLastIndex(({ key }) => active.startsWith(`${key}/`))
  return around === -1 ? Math.min(0, rows.length - 1) : around
}

/** Returns the selected blocks in file order. Blocks that have moved are found by their ids. */
export function selectedBlocks(
  rows: readonly OutlineRow[],
  active: OutlineRow | undefined,
  others: EditorState["others"],
): readonly JsonPointer[] {
  if (others.size === 0) return active?.row === "block" ? [active.pointer] : []
  const blocks = rows.filter((row) => row.row === "block")
  const ids = new Set(blocks.map(({ id }) => id))
  const stayed = new Set(blocks.flatMap(({ key, id }) => (others.get(key) === id ? [key] : [])))
  const moved = new Set([...others].flatMap(([key, id]) => (stayed.has(key) || id === "" ? [] : [id])))
  const isSelected = ({ key, id }: BlockRow): boolean => {
    const before = others.get(key)
    const isRenamed = before !== undefined && !ids.has(before)
    return stayed.has(key) || moved.has(id) || isRenamed
  }
  return blocks.filter((row) => row === active || isSelected(row)).map(({ pointer }) => pointer)
}

interface ShownSelection {
  readonly workflow: string
  readonly row: OutlineRow | undefined
  readonly blocks: readonly JsonPointer[]
}

export const useShownRows = create<{ readonly shown: ShownSelection | undefined }>(() => ({
  shown: undefined,
}))

export const useStatusMessage = create<{ readonly words: string }>(() => ({ words: "" }))

export const say = (words: string): void => useStatusMessage.setState({ words })
