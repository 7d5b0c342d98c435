// The graph of compared schemas: one node per pair of schemas and direction, however many operations use it.

import { getOrCreate, isJsonObject, type JsonValue } from "@callsheet/format"
import { isOldDialect } from "../document/document.ts"
import type { Part } from "../document/part.ts"
import type { Direction } from "../schema/types/answers.ts"
import type { SchemaChange } from "./change.ts"
import { isIgnored, type Sameness } from "./sameness.ts"

/** Schemas that all apply to one value in the old document, and those that apply to it in the new one. */
export interface SchemaPair {
  readonly before: readonly Part[]
  readonly after: readonly Part[]
  readonly direction: Direction
  changes: readonly LocalChange[]
  edges: readonly Edge[]
  /** Whether the pair has changes or leads to some. */
  isChanged: boolean
}

/** A change with its place below the value: the name of a property, or none for the value itself. */
export interface LocalChange {
  readonly change: SchemaChange
  readonly segment: string | undefined
}

/** Leads to the pair of a part of the value. Without a segment, the pair describes the same value. */
export interface Edge {
  readonly segment: string | undefined
  readonly pair: SchemaPair
}

export interface ComparedPair {
  readonly changes: readonly LocalChange[]
  readonly edges: readonly Edge[]
}

export interface SchemaPairs {
  /**
   * Returns the pair of schemas. Undefined if they are surely the same. `endless` if the documents combine so many schemas
   * by `allOf` that the rest can't be compared.
   */
  readonly pairOf: (
    before: readonly Part[],
    after: readonly Part[],
    direction: Direction,
  ) => SchemaPair | "endless" | undefined
  readonly isSame: Sameness["isSame"]
  /** Compares all pairs, and the pairs that they lead to. */
  readonly compareAll: (compare: (pair: SchemaPair) => ComparedPair) => void
}

/** The maximum number of pairs with several schemas on one side. */
const MAX_COMBINED = 1000

export function createSchemaPairs(sameness: Sameness): SchemaPairs {
  const pairs = new Map<string, SchemaPair>()
  const work: SchemaPair[] = []
  let combined = 0
  const keyOf = createKeys()
  const isSame: Sameness["isSame"] = (before, after, kind) =>
    isOldDialect(before.document) === isOldDialect(after.document) && sameness.isSame(before, after, kind)
  return {
    isSame,
    pairOf: (before, after, direction) => {
      const key = `${direction} ${keyOf(before)} ${keyOf(after)}`
      const known = pairs.get(key)
      if (known !== undefined) return known
      if (areSame(isSame, before, after)) return undefined
      // Schemas that contain each other may have more combinations than anyone can count.
      if ((before.length > 1 || after.length > 1) && ++combined > MAX_COMBINED) return "endless"
      const pair = { before, after, direction, changes: [], edges: [], isChanged: false }
      pairs.set(key, pair)
      work.push(pair)
      return pair
    },
    compareAll: (compare) => {
      for (let pair = work.pop(); pair !== undefined; pair = work.pop()) Object.assign(pair, compare(pair))
      markChanged([...pairs.values()])
    },
  }
}

function areSame(isSame: Sameness["isSame"], before: readonly Part[], after: readonly Part[]): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => {
      const other = after[index]
      return other !== undefined && isSame(part, other, "schema")
    })
  )
}

/** Numbers the schemas by identity, because a schema is the same wherever it is referenced. */
function createKeys(): (parts: readonly Part[]) => string {
  const numbers = new Map<JsonValue, number>()
  const numberOf = (part: Part): number =>
    getOrCreate(
      numbers,
      isReference(part.value) ? (part.dereference() ?? part).value : part.value,
      () => numbers.size,
    )
  return (parts) => parts.map(numberOf).join("+")
}

const isReference = (schema: JsonValue): boolean =>
  isJsonObject(schema) && Object.keys(schema).every((key) => key === "$ref" || isIgnored("schema", key))

function markChanged(pairs: readonly SchemaPair[]): void {
  const leading = new Map<SchemaPair, SchemaPair[]>()
  for (const pair of pairs)
    for (const { pair: target } of pair.edges) getOrCreate(leading, target, () => []).push(pair)
  const work = pairs.filter(({ changes }) => changes.length > 0)
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    if (pair.isChanged) continue
    pair.isChanged = true
    for (const from of leading.get(pair) ?? []) work.push(from)
  }
  for (const pair of pairs) pair.edges = pair.edges.filter(({ pair: target }) => target.isChanged)
}
