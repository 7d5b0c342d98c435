// Finds schemas that include themselves, so that no value can ever be decided: a schema whose `allOf` leads back to it.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownOf } from "@callsheet/format"
import { escapePointer, lastKey, showPart } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import { schemaKeywords } from "../document/schema-keywords.ts"

/** A schema with the schemas that apply to the same value. */
interface Inclusions {
  readonly pointer: string
  readonly included: readonly Included[]
}

interface Included {
  readonly value: JsonValue
  /** The location of the keyword or branch that includes the schema. */
  readonly at: string
}

export type InclusionGraph = Map<JsonObject, Inclusions>

export interface Circle {
  readonly at: string
  /** The names of the schemas, from the first one back to it. */
  readonly names: readonly string[]
}

const inPlace = Object.entries(schemaKeywords).filter(
  ([, { describes, isOld }]) => isOld !== true && (describes === "value" || describes === "case"),
)

/** Adds a schema to a graph. `target` is the target of its reference. */
export function addInclusions(graph: InclusionGraph, schema: Written, target: JsonValue | undefined): void {
  const { value, pointer } = schema
  const included = target === undefined ? [] : [{ value: target, at: `${pointer}/$ref` }]
  for (const [keyword] of inPlace)
    if (Object.hasOwn(value, keyword))
      included.push(...schemasIn(ownOf(value, keyword) ?? null, `${pointer}/${keyword}`, keyword))
  if (included.length > 0) graph.set(value, { pointer, included })
}

interface Written {
  readonly value: JsonObject
  readonly pointer: string
}

function schemasIn(value: JsonValue, at: string, keyword: string): readonly Included[] {
  const as = ownOf(schemaKeywords, keyword)?.as
  if (as === "one") return [{ value, at }]
  if (isJsonArray(value)) return value.map((inner, index) => ({ value: inner, at: `${at}/${index}` }))
  if (as !== "map" || !isJsonObject(value)) return []
  return Object.entries(value).map(([name, inner]) => ({ value: inner, at: `${at}/${escapePointer(name)}` }))
}

/** Walks depth first, without recursion. Yields each circle where it closes. */
export function* findCircles(graph: InclusionGraph): Generator<Circle> {
  const done = new Set<JsonValue>()
  for (const start of graph.keys()) {
    const path: { readonly value: JsonValue; next: number }[] = [{ value: start, next: 0 }]
    /** The schemas on the path, each with its index. */
    const open = new Map<JsonValue, number>([[start, 0]])
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const inner = done.has(step.value)
        ? undefined
        : graph.get(step.value as JsonObject)?.included[step.next++]
      const from = inner && open.get(inner.value)
      if (inner === undefined) {
        done.add(step.value)
        open.delete(step.value)
        path.pop()
      } else if (from !== undefined) {
        const circle = path.slice(from, from + MAX_STEPS)
        const pointers = circle.map(({ value }) => graph.get(value as JsonObject)?.pointer ?? "")
        yield { at: inner.at, names: namesOf(pointers) }
      } else if (!done.has(inner.value)) {
        open.set(inner.value, path.length)
        path.push({ value: inner.value, next: 0 })
      }
    }
  }
}

const MAX_NAMES = 6
/** The maximum number of schemas of a circle to look at for their names. Thousands of circles may have one long path. */
const MAX_STEPS = 100

/** Matches the location of a schema without a name, inside another one. */
const isBranch = /\/(?:allOf|anyOf|oneOf)\/\d+$|\/(?:not|if|then|else)$|\/dependentSchemas\/[^/]+$/

function namesOf(pointers: readonly string[]): readonly string[] {
  const named = pointers.filter((pointer) => !isBranch.test(pointer))
  const shown = named.length === 0 ? pointers : named
  const names = [...shown.slice(0, MAX_NAMES), ...shown.slice(0, 1)].map(
    (pointer) => lastKey(pointer) || showPart(pointer),
  )
  return shown.length > MAX_NAMES ? names.toSpliced(-1, 0, "…") : names
}

/** The maximum number of schemas to search for a circle. */
const MAX_SCHEMAS = 10_000

/** Returns a circle in a schema or in the schemas of its parts. */
export function circleIn(schema: Part): Circle | undefined {
  const graph: InclusionGraph = new Map()
  const seen = new Set<JsonValue>()
  const work = [schema]
  for (let part = work.pop(); part !== undefined && seen.size < MAX_SCHEMAS; part = work.pop()) {
    const { value, pointer } = part
    if (!isJsonObject(value) || seen.has(value)) continue
    seen.add(value)
    const found = part.reference()
    const target = found === "broken" ? undefined : found
    addInclusions(graph, { value, pointer }, target?.value)
    if (target !== undefined) work.push(target)
    for (const [keyword, { as }] of Object.entries(schemaKeywords)) {
      const inner = part.inside(keyword)
      if (inner === undefined) continue
      if (as === "one") work.push(inner)
      else work.push(...part.items(keyword), ...part.entries(keyword).map(([, one]) => one))
    }
  }
  return findCircles(graph).next().value ?? undefined
}

/** Returns a circle that every value runs into: references and `allOf` lead from the schema back to one of them. */
export function endlessCircle(schema: Part): Circle | undefined {
  const graph: InclusionGraph = new Map()
  const work = [schema]
  for (let part = work.pop(); part !== undefined && graph.size < MAX_SCHEMAS; part = work.pop()) {
    const { value, pointer, isOld } = part
    if (!isJsonObject(value) || graph.has(value)) continue
    const target = part.reference()
    // In old versions, keywords next to a reference have no effect.
    const all = target !== undefined && isOld ? [] : part.items("allOf")
    const included = all.map((one, index) => ({ part: one, at: `${pointer}/allOf/${index}` }))
    if (target !== undefined && target !== "broken") included.push({ part: target, at: `${pointer}/$ref` })
    graph.set(value, {
      pointer,
      included: included.map(({ part: { value: inner }, at }) => ({ value: inner, at })),
    })
    work.push(...included.map((one) => one.part))
  }
  return findCircles(graph).next().value ?? undefined
}
