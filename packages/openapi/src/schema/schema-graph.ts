// The graph of a document's schemas: references, included schemas, and the schemas for parts of a value.

import { getOrCreate, isJsonArray, isJsonObject, type JsonValue, memo } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { listMember, member } from "../document/located.ts"
import { type Part, partAt } from "../document/part.ts"

const isFound = (part: Part | "broken" | undefined): part is Part => part !== undefined && part !== "broken"

/**
 * Returns whether null is allowed beside `type`, by `nullable` in 3.0 or by the extension for it that tools write in
 * 2.0.
 */
export const isNullable = (schema: JsonValue): boolean =>
  member(schema, "nullable") === true || member(schema, "x-nullable") === true

/** Returns the keywords for items. Drafts before 2020-12 have a list in `items` instead of `prefixItems`. */
export const itemKeywords = (schema: JsonValue | undefined) =>
  isJsonArray(member(schema, "items")) && listMember(schema, "prefixItems").length === 0
    ? ({ first: "items", other: "additionalItems" } as const)
    : ({ first: "prefixItems", other: "items" } as const)

export const describingSchemas = (schema: Part): readonly Part[] => [
  ...(["$ref", "$dynamicRef", "$recursiveRef"] as const)
    .map((keyword) => schema.reference(keyword))
    .filter(isFound),
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema.items(keyword)),
  ...["if", "then", "else"].map((keyword) => schema.inside(keyword)).filter(isFound),
  ...schema.entries("dependentSchemas").map(([, part]) => part),
]

/**
 * Yields a schema and every schema that it includes by `$ref` and `allOf`, each once. Doesn't continue from a schema
 * for which `isEnd` is true.
 */
function* inclusions(schema: Part, isEnd?: (part: Part) => boolean): Generator<Part> {
  const seen = new Set<JsonValue>()
  const work = [schema]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (seen.has(part.value)) continue
    seen.add(part.value)
    yield part
    if (isEnd?.(part) === true) continue
    work.push(...part.items("allOf"))
    const followed = part.dereference()
    if (followed !== undefined) work.push(followed)
  }
}

export const directBases = (schema: Part): readonly Part[] =>
  [schema, ...schema.items("allOf")].map((part) => part.reference()).filter(isFound)

/** The maximum number of schemas that extend one base. */
const MAX_EXTENDERS = 300

/** Returns the component schemas that directly include this one. A base's discriminator selects from them. */
export const extendersOf = ({ document, pointer }: Part): readonly Part[] =>
  (extendersByBase(document).get(pointer) ?? []).slice(0, MAX_EXTENDERS)

const extendersByBase = memo((document: OpenApiDocument): ReadonlyMap<string, readonly Part[]> => {
  const found = new Map<string, Part[]>()
  const folder = partAt(document, schemasFolder(document))
  for (const [, schema] of folder?.entries() ?? []) {
    const bases = new Set(directBases(schema).map(({ pointer }) => pointer))
    for (const base of bases) getOrCreate(found, base, () => []).push(schema)
  }
  return found
})

export const schemasFolder = ({ version }: OpenApiDocument): string =>
  version === "2.0" ? "/definitions" : "/components/schemas"

export type Mark = "readOnly" | "writeOnly"

export const excusedNames = (schema: Part, mark: Mark): readonly string[] =>
  [...inclusions(schema)]
    .flatMap((part) => part.entries("properties"))
    .flatMap(([name, property]) => (isMarked(property, mark) ? [name] : []))

/**
 * Returns whether a schema or one that it includes has the mark. The opposite mark hides the marks of included schemas.
 */
export function isMarked(schema: Part, mark: Mark): boolean {
  if (!isJsonObject(schema.value)) return false
  const other = mark === "readOnly" ? "writeOnly" : "readOnly"
  return getOrCreate(answers[mark], schema.value, () =>
    [...inclusions(schema, (one) => one.member(other) === true)].some((part) => part.member(mark) === true),
  )
}

/** Cached results by schema, because many schemas ask about the same properties. */
const answers: { readonly [M in Mark]: WeakMap<object, boolean> } = {
  readOnly: new WeakMap(),
  writeOnly: new WeakMap(),
}
