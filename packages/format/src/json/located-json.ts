// Reads any JSON text, however broken, as a value whose parts know their places. For editors, which read half-written
// files.

import { getOrCreate } from "../memo.ts"
import {
  ARRAY,
  childrenOf,
  END,
  field,
  FLAGS,
  isClosedString,
  type JsonTree,
  KEY_FROM,
  KEY_TO,
  keyOfRow,
  KIND,
  MISSING,
  NEXT,
  OBJECT,
  PARENT,
  readJsonTree,
  START,
  type TextRange,
  UNCLOSED,
} from "./json-tree.ts"
import { parseJson } from "./parse-json.ts"
import type { JsonPointer } from "./pointer.ts"
import { type JsonValue, setOwn } from "./value.ts"

export interface LocatedJson {
  readonly text: string
  /**
   * Undefined for a text without any value. Missing values are null, and words without quotes are strings. Never use it
   * for a run or an edit: nobody knows what the user will write.
   */
  readonly value: JsonValue | undefined
  /** Returns the range of a key or value, without the quotes of a string. Undefined if there is none. */
  readonly rangeOf: (pointer: JsonPointer, at: "key" | "value") => TextRange | undefined
  /** Returns the range of a member with its key, or of an item. */
  readonly memberRangeOf: (pointer: JsonPointer) => TextRange | undefined
  /** Returns the ranges of all objects and arrays, in the order of the text. */
  readonly containers: () => readonly TextRange[]
  /** Returns the ranges around an offset, from inside to outside: a string, its quotes, its member, and so on. */
  readonly rangesAround: (offset: number) => readonly TextRange[]
}

/** Never fails, and takes linear time. */
export function locateJson(text: string): LocatedJson {
  const tree = readJsonTree(text)
  const rowAt = createRowFinder(tree)
  return {
    text,
    value: valueOf(tree),
    rangeOf: (pointer, at) => {
      const row = rowAt(pointer)
      if (row === undefined || (at === "key" && field(tree, row, KEY_FROM) === -1)) return undefined
      return at === "key"
        ? inQuotes(text, field(tree, row, KEY_FROM), field(tree, row, KEY_TO))
        : inQuotes(text, field(tree, row, START), field(tree, row, END))
    },
    memberRangeOf: (pointer) => {
      const row = rowAt(pointer)
      return row === undefined ? undefined : memberOf(tree, row)
    },
    containers: () =>
      rowsOf(tree)
        .filter((row) => isContainer(tree, row))
        .map((row) => ({ from: field(tree, row, START), to: field(tree, row, END) })),
    rangesAround: (offset) => rangesAround(tree, offset),
  }
}

const rowsOf = ({ count }: JsonTree): readonly number[] => Array.from({ length: count }, (_, row) => row)

function isContainer(tree: JsonTree, row: number): boolean {
  const kind = field(tree, row, KIND)
  return kind === OBJECT || kind === ARRAY
}

function memberOf(tree: JsonTree, row: number): TextRange {
  const key = field(tree, row, KEY_FROM)
  return { from: key === -1 ? field(tree, row, START) : key, to: field(tree, row, END) }
}

function inQuotes(text: string, from: number, to: number): TextRange {
  if (text[from] !== '"') return { from, to }
  return { from: from + 1, to: isClosedString(text, from, to) ? to - 1 : to }
}

/** Finds rows by pointers. Reads the members of a container once. */
function createRowFinder(tree: JsonTree): (pointer: JsonPointer) => number | undefined {
  const members = new Map<number, ReadonlyMap<string | number, number>>()
  const membersOf = (container: number): ReadonlyMap<string | number, number> => {
    const found = new Map<string | number, number>()
    const isArray = field(tree, container, KIND) === ARRAY
    for (const row of childrenOf(tree, container)) found.set(isArray ? found.size : keyOfRow(tree, row), row)
    return found
  }
  return (pointer) => {
    let row: number | undefined = tree.count === 0 ? undefined : 0
    for (const step of pointer) {
      if (row === undefined || !isContainer(tree, row)) return undefined
      row = getOrCreate(members, row, membersOf).get(step)
    }
    return row
  }
}

type Container = JsonValue[] | Record<string, JsonValue>

function valueOf(tree: JsonTree): JsonValue | undefined {
  const parsed = parseJson(tree.text, { allowDuplicateKeys: true })
  return parsed.ok ? parsed.value : valueOfTree(tree)
}

function valueOfTree(tree: JsonTree): JsonValue | undefined {
  const containers: (Container | undefined)[] = []
  let root: JsonValue | undefined
  for (let row = 0; row < tree.count; row++) {
    const value = valueOfRow(tree, row)
    if (typeof value === "object" && value !== null) containers[row] = value
    const parent = field(tree, row, PARENT)
    const container = parent === -1 ? undefined : containers[parent]
    if (container === undefined) root ??= value
    else if (Array.isArray(container)) container.push(value)
    else if (field(tree, row, KEY_FROM) !== -1) put(container, keyOfRow(tree, row), value)
  }
  return root
}

/** A half-written member doesn't replace a whole one. */
function put(container: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (value !== null || !Object.hasOwn(container, key)) setOwn(container, key, value)
}

function valueOfRow(tree: JsonTree, row: number): Container | string | number | bigint | boolean | null {
  const kind = field(tree, row, KIND)
  if (kind === OBJECT) return {}
  if (kind === ARRAY) return []
  if (kind === MISSING) return null
  return scalarOf(tree.text.slice(field(tree, row, START), field(tree, row, END)))
}

/** A string that isn't closed or has a wrong escape, and a word, are read as they are written. */
function scalarOf(literal: string): string | number | bigint | boolean | null {
  for (const whole of [literal, `${literal}"`]) {
    const parsed = parseJson(whole)
    if (parsed.ok && typeof parsed.value !== "object") return parsed.value
    if (parsed.ok && parsed.value === null) return null
  }
  const { from, to } = inQuotes(literal, 0, literal.length)
  return literal.slice(from, to)
}

function rangesAround(tree: JsonTree, offset: number): readonly TextRange[] {
  const found: TextRange[] = []
  const add = (range: TextRange): void => {
    const last = found.at(-1)
    const isInside = range.from <= offset && offset <= range.to
    if (isInside && (last?.from !== range.from || last.to !== range.to)) found.push(range)
  }
  for (let row = 0; row < tree.count;) {
    const member = memberOf(tree, row)
    if (offset < member.from || offset > member.to) {
      row = field(tree, row, NEXT)
      continue
    }
    const value = { from: field(tree, row, START), to: field(tree, row, END) }
    const isOpen = (field(tree, row, FLAGS) & UNCLOSED) !== 0
    add(member)
    const key = field(tree, row, KEY_FROM)
    if (key !== -1 && offset <= field(tree, row, KEY_TO)) {
      add({ from: key, to: field(tree, row, KEY_TO) })
      add(inQuotes(tree.text, key, field(tree, row, KEY_TO)))
      break
    }
    add(value)
    if (!isContainer(tree, row)) {
      add(inQuotes(tree.text, value.from, value.to))
      break
    }
    if (!isOpen) add({ from: value.from + 1, to: value.to - 1 })
    row++
  }
  return found.reverse()
}
