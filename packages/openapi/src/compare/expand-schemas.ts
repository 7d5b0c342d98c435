// Turns the changes of compared schemas into changes of an operation, each at its shortest path.

import type { Change, SchemaChange } from "./change.ts"
import type { Place, Root } from "./collector.ts"
import { describeChange } from "./messages.ts"
import type { SchemaPair } from "./schema-pairs.ts"

interface Reached {
  readonly pair: SchemaPair
  readonly path: string
}

/** Walks breadth first, so that the first path to a pair is the shortest. */
export function* expandSchemas(root: Root): Generator<Change> {
  if (!root.pair.isChanged) return
  const seen = new Set([root.pair])
  const said = new Set<string>()
  const work: Reached[] = [{ pair: root.pair, path: root.place.path }]
  for (const { pair, path } of work) {
    for (const { change, segment } of pair.changes) {
      const place = { ...root.place, path: segment === undefined ? path : `${path}/${segment}` }
      const made = createChange(change, place, { root, home: pair, segment })
      // The branches of a union often have the same property.
      const key = `${change.kind} ${place.path} ${made.message}`
      if (said.has(key)) continue
      said.add(key)
      yield made
    }
    for (const { segment, pair: target } of pair.edges) {
      if (seen.has(target)) continue
      seen.add(target)
      // This loop also visits the pairs that it adds.
      work.push({ pair: target, path: segment === undefined ? path : `${path}/${segment}` })
    }
  }
}

interface Home {
  readonly root: Root
  readonly home: SchemaPair
  readonly segment: string | undefined
}

const createChange = (change: SchemaChange, place: Place, { root, home, segment }: Home): Change => ({
  ...change,
  ...place,
  ...(root.mediaTypes === undefined ? {} : { mediaType: root.mediaTypes[0], mediaTypes: root.mediaTypes }),
  message: describeChange(change.kind, change.facts, place),
  isAt: (path: string) => path === place.path || leadsTo(root, path, { home, segment }),
})

/** Returns whether a path leads from the root to a schema with the change. */
function leadsTo(
  { pair, place }: Root,
  path: string,
  { home, segment }: Pick<Home, "home" | "segment">,
): boolean {
  if (path !== place.path && !path.startsWith(`${place.path}/`)) return false
  const segments = path.slice(place.path.length).split("/").slice(1)
  if (segment !== undefined && !matches(segment, segments.pop())) return false
  let here = withSameValue([pair])
  for (const step of segments)
    here = withSameValue(
      [...here].flatMap(({ edges }) =>
        edges.flatMap((edge) =>
          edge.segment !== undefined && matches(edge.segment, step) ? [edge.pair] : [],
        ),
      ),
    )
  return here.has(home)
}

const matches = (segment: string, step: string | undefined): boolean =>
  step !== undefined && (segment === step || segment === "*")

/** Adds the pairs that describe the same value. */
function withSameValue(pairs: readonly SchemaPair[]): ReadonlySet<SchemaPair> {
  const found = new Set(pairs)
  for (const { edges } of found)
    for (const { segment, pair } of edges) if (segment === undefined) found.add(pair)
  return found
}
