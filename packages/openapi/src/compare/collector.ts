// Collects the changes of operations, and the schemas to compare for them, in the order of the document.

import type { Part } from "../document/part.ts"
import type { Breaks, FactsByKind, Side } from "./change.ts"
import type { SchemaPair, SchemaPairs } from "./schema-pairs.ts"

/** A change whose place is known: it is not in a schema. */
export type DirectChange = {
  [K in keyof FactsByKind]: {
    readonly kind: K
    readonly facts: FactsByKind[K]
    readonly breaks: Breaks | undefined
    readonly before?: string | undefined
    readonly after?: string | undefined
    readonly place: Place
  }
}[keyof FactsByKind]

export interface Place {
  readonly operation: string
  readonly side: Side
  readonly path: string
  readonly status?: string | undefined
}

/** A pair of schemas at a place of an operation. */
export interface Root {
  readonly place: Place
  readonly pair: SchemaPair
  readonly mediaTypes?: readonly string[] | undefined
}

export interface Collector {
  readonly items: readonly (DirectChange | Root)[]
  readonly report: (change: DirectChange) => void
  readonly compare: (root: Compared) => void
}

interface Compared {
  readonly place: Place
  readonly before: readonly Part[]
  readonly after: readonly Part[]
  readonly mediaTypes?: readonly string[]
}

export function createCollector(pairs: SchemaPairs): Collector {
  const items: (DirectChange | Root)[] = []
  return {
    items,
    report: (change) => items.push(change),
    compare: ({ place, before, after, mediaTypes }) => {
      const direction = place.side === "request" ? "request" : "response"
      const pair = pairs.pairOf(before, after, direction)
      if (pair !== undefined && pair !== "endless") items.push({ place, pair, mediaTypes })
    },
  }
}
