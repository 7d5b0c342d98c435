// A workflow as rows of the outline: blocks, and branches of conditions. Containers can be expanded. Pure.

import {
  childFieldsOf,
  isBlockKind,
  isJsonArray,
  isJsonObject,
  type BlockKind,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { keyOf } from "./block-place.ts"

interface RowPlace {
  readonly key: string
  readonly depth: number
  readonly position: number
  readonly siblings: number
  /** Absent if the block can't contain others. */
  readonly isOpen?: boolean
}

export interface BlockRow extends RowPlace {
  readonly row: "block"
  readonly pointer: JsonPointer
  /** The value in the file. It may be any JSON. */
  readonly value: JsonValue
  /** Empty if the block has none. */
  readonly id: string
  readonly kind: BlockKind | undefined
}

export interface BranchRow extends RowPlace {
  readonly row: "branch"
  /** The pointer of the list of blocks, which might not exist. */
  readonly pointer: JsonPointer
  /** `then` or `else`. */
  readonly branch: string
  readonly blocks: number
  readonly isOpen: boolean
}

export type OutlineRow = BlockRow | BranchRow

interface List {
  readonly pointer: JsonPointer
  readonly blocks: readonly JsonValue[]
  /** The field of the list if it is shown as a branch. */
  readonly branch: string | undefined
}

/** Remaining work: the rest of a list, from `next`, or the branches of a condition. */
interface Level {
  readonly depth: number
  readonly list: List
  readonly branches: readonly List[] | undefined
  next: number
}

/** `closed` contains the collapsed rows, as returned by `rowName`. */
export function outlineRows(workflow: JsonValue, closed: ReadonlySet<string>): readonly OutlineRow[] {
  const rows: OutlineRow[] = []
  const levels: Level[] = [{ depth: 1, list: topList(workflow), branches: undefined, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { depth, list, branches } = level
    const position = level.next++
    const count = branches?.length ?? list.blocks.length
    if (position >= count) {
      levels.pop()
      continue
    }
    const branch = branches?.[position]
    if (branch !== undefined) {
      const row = branchRow(branch, { depth, position, siblings: count }, closed)
      rows.push(row)
      if (row.isOpen) levels.push({ depth: depth + 1, list: branch, branches: undefined, next: 0 })
      continue
    }
    const pointer = [...list.pointer, position]
    const value = list.blocks[position] ?? null
    const lists = listsOf(value, pointer)
    const row = blockRow(value, pointer, { depth, position, siblings: count })
    const isOpen = lists.length > 0 && !closed.has(rowName(row))
    rows.push(lists.length > 0 ? { ...row, isOpen } : row)
    const [first] = lists
    if (!isOpen || first === undefined) continue
    const hasBranches = first.branch !== undefined
    levels.push({ depth: depth + 1, list: first, branches: hasBranches ? lists : undefined, next: 0 })
  }
  return rows
}

/** Returns the name under which a row is collapsed. Blocks may move, so it is made from the id. */
export function rowName(row: OutlineRow | Pick<BlockRow, "row" | "id" | "key">): string {
  if (row.row === "branch") return `branch ${row.key}`
  return row.id === "" ? `place ${row.key}` : `id ${row.id}`
}

const topList = (workflow: JsonValue): List => ({
  pointer: ["blocks"],
  blocks: listAt(workflow, "blocks") ?? [],
  branch: undefined,
})

function listAt(value: JsonValue, field: string): readonly JsonValue[] | undefined {
  const list = isJsonObject(value) ? ownOf(value, field) : undefined
  return isJsonArray(list) ? list : undefined
}

/** Returns the lists of a block. For an unknown kind, returns all lists that exist. */
export function listsOf(value: JsonValue, pointer: JsonPointer): readonly List[] {
  if (!isJsonObject(value)) return []
  const type = value["type"]
  if (isBlockKind(type)) {
    const fields = childFieldsOf(type)
    const readable = fields.filter(
      (field) => !Object.hasOwn(value, field) || listAt(value, field) !== undefined,
    )
    return readable.map((field) => listIn(value, pointer, field, fields.length > 1))
  }
  const branches = ["then", "else"].filter((field) => listAt(value, field) !== undefined)
  if (branches.length > 0) return branches.map((field) => listIn(value, pointer, field, true))
  return listAt(value, "blocks") === undefined ? [] : [listIn(value, pointer, "blocks", false)]
}

const listIn = (value: JsonValue, pointer: JsonPointer, field: string, isBranch: boolean): List => ({
  pointer: [...pointer, field],
  blocks: listAt(value, field) ?? [],
  branch: isBranch ? field : undefined,
})

type At = Pick<RowPlace, "depth" | "position" | "siblings">

function blockRow(value: JsonValue, pointer: JsonPointer, at: At): BlockRow {
  const block: JsonObject = isJsonObject(value) ? value : {}
  const { id, type } = block
  return {
    ...at,
    row: "block",
    key: keyOf(pointer),
    pointer,
    value,
    id: typeof id === "string" ? id : "",
    kind: isBlockKind(type) ? type : undefined,
  }
}

function branchRow({ pointer, blocks, branch }: List, at: At, closed: ReadonlySet<string>): BranchRow {
  const key = keyOf(pointer)
  return {
    ...at,
    row: "branch",
    key,
    pointer,
    branch: branch ?? "then",
    blocks: blocks.length,
    isOpen: !closed.has(`branch ${key}`),
  }
}
