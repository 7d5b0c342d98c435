// Turns the changes of compared schemas into changes of operations, each at its shortest path.

import { getOrCreate, memo } from "@callsheet/format"
import type { Change, SchemaChange } from "./change.ts"
import type { Root } from "./collector.ts"
import { describeChange } from "./messages.ts"
import type { SchemaPair } from "./schema-pairs.ts"

/** Returns the changes that an operation's value has. Those of one schema are found once for all operations. */
export const expandSchemas = (root: Root): readonly Change[] =>
  root.pair.isChanged
    ? expand(root.pair)
        // Safe cast: `kind` and `facts` come from the same change of a schema.
        .map((found) => new PlacedChange(found, root) as Change)
    : []

interface Found {
  readonly change: SchemaChange
  /** The pair that has the change. */
  readonly home: SchemaPair
  /** The part of the pair's value that has changed. Undefined for the value itself. */
  readonly segment: string | undefined
  /** The path from the value of the first pair: `/items/*`. */
  readonly path: string
}

/** Walks breadth first, so that the first path to a pair is the shortest. */
const expand = memo((first: SchemaPair): readonly Found[] => {
  const found: Found[] = []
  const seen = new Set([first])
  const said = new Set<string>()
  const work: { readonly pair: SchemaPair; readonly path: string }[] = [{ pair: first, path: "" }]
  for (const { pair, path } of work) {
    for (const { change, segment } of pair.changes) {
      const place = segment === undefined ? path : `${path}/${segment}`
      const message = describeChange(change.kind, change.facts, { side: "document", path: `/body${place}` })
      // The branches of a union often have the same property.
      const key = `${change.kind} ${place} ${message}`
      if (said.has(key)) continue
      said.add(key)
      found.push({ change, home: pair, segment, path: place })
    }
    for (const { segment, pair: target } of pair.edges) {
      if (seen.has(target)) continue
      seen.add(target)
      // This loop also visits the pairs that it adds.
      work.push({ pair: target, path: segment === undefined ? path : `${path}/${segment}` })
    }
  }
  return found
})

/**
 * A change of a schema in one operation. Makes its texts when they are asked for, because thousands of operations may
 * share hundreds of changes.
 */
class PlacedChange {
  readonly #found: Found
  readonly #root: Root

  constructor(found: Found, root: Root) {
    this.#found = found
    this.#root = root
  }

  get kind() {
    return this.#found.change.kind
  }
  get facts() {
    return this.#found.change.facts
  }
  get breaks() {
    return this.#found.change.breaks
  }
  get before() {
    return this.#found.change.before
  }
  get after() {
    return this.#found.change.after
  }
  get operation() {
    return this.#root.place.operation
  }
  get side() {
    return this.#root.place.side
  }
  get status() {
    return this.#root.place.status
  }
  get path() {
    return this.#root.place.path + this.#found.path
  }
  get mediaType() {
    return this.#root.mediaTypes?.[0]
  }
  get mediaTypes() {
    return this.#root.mediaTypes
  }
  get message() {
    const { kind, facts, side, path, status } = this
    return describeChange(kind, facts, { side, path, status })
  }
  get isAt() {
    return (path: string): boolean => path === this.path || leadsTo(this.#root, path, this.#found)
  }
}

/** Returns whether a path leads from the root to a schema with the change. */
function leadsTo({ pair, place }: Root, path: string, { home, segment }: Found): boolean {
  if (path !== place.path && !path.startsWith(`${place.path}/`)) return false
  const inner = path.slice(place.path.length)
  if (segment === undefined) return reach(pair)(inner).has(home)
  const last = inner.lastIndexOf("/")
  return last !== -1 && matches(segment, inner.slice(last + 1)) && reach(pair)(inner.slice(0, last)).has(home)
}

/** Returns a function that finds the pairs at a path. Remembers them, because the same reads meet many changes. */
const reach = memo((first: SchemaPair): ((path: string) => ReadonlySet<SchemaPair>) => {
  const known = new Map<string, ReadonlySet<SchemaPair>>()
  return (path) =>
    getOrCreate(known, path, () =>
      path
        .split("/")
        .slice(1)
        .reduce(stepInto, withSameValue([first])),
    )
})

const stepInto = (pairs: ReadonlySet<SchemaPair>, step: string): ReadonlySet<SchemaPair> =>
  withSameValue(
    [...pairs].flatMap(({ edges }) =>
      edges.flatMap((edge) => (edge.segment !== undefined && matches(edge.segment, step) ? [edge.pair] : [])),
    ),
  )

const matches = (segment: string, step: string): boolean => segment === step || segment === "*"

/** Adds the pairs that describe the same value. */
function withSameValue(pairs: readonly SchemaPair[]): ReadonlySet<SchemaPair> {
  const found = new Set(pairs)
  for (const { edges } of found)
    for (const { segment, pair } of edges) if (segment === undefined) found.add(pair)
  return found
}
