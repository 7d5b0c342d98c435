// The schemas of a document as one graph: what a schema refers to, what it is made of, and which schemas describe the parts of its value.

import { getOrCreate, isJsonArray, isJsonObject, type JsonValue, memo } from "@callsheet/format"
import { dereference, type OpenApiDocument, resolveReference } from "../document/document.ts"
import {
  entriesIn,
  escapePointer,
  inside,
  itemsIn,
  listMember,
  type Located,
  member,
  textMember,
  valueAt,
} from "../document/located.ts"

/** What a reference leads to: `broken` if nothing is there, undefined if the schema has no such reference. */
export function referenceOf(
  document: OpenApiDocument,
  { value, pointer }: Located,
  keyword: "$ref" | "$dynamicRef" | "$recursiveRef" = "$ref",
): Located | "broken" | undefined {
  const reference = textMember(value, keyword)
  return reference === undefined ? undefined : (resolveReference(document, reference, pointer) ?? "broken")
}

const isFound = (part: Located | "broken" | undefined): part is Located =>
  part !== undefined && part !== "broken"

/** Null may come whatever the `type` says: by 3.0's keyword, or by the one that tools write for 2.0. */
export const isNullable = (schema: JsonValue): boolean =>
  member(schema, "nullable") === true || member(schema, "x-nullable") === true

/** Drafts before 2020-12 wrote `prefixItems` as a list in `items`. */
export const itemKeywords = (schema: JsonValue | undefined) =>
  isJsonArray(member(schema, "items")) && listMember(schema, "prefixItems").length === 0
    ? ({ first: "items", other: "additionalItems" } as const)
    : ({ first: "prefixItems", other: "items" } as const)

export const describingSchemas = (document: OpenApiDocument, schema: Located): readonly Located[] => [
  ...(["$ref", "$dynamicRef", "$recursiveRef"] as const)
    .map((keyword) => referenceOf(document, schema, keyword))
    .filter(isFound),
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => itemsIn(schema, keyword)),
  ...["if", "then", "else"].map((keyword) => inside(schema, keyword)).filter(isFound),
  ...entriesIn(schema, "dependentSchemas").map(([, part]) => part),
]

/** A schema and all that it includes by `$ref` and `allOf`, each once. What an end includes is left out. */
function* inclusions(
  document: OpenApiDocument,
  schema: Located,
  isEnd?: (part: Located) => boolean,
): Generator<Located> {
  const seen = new Set<JsonValue>()
  const work = [schema]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (seen.has(part.value)) continue
    seen.add(part.value)
    yield part
    if (isEnd?.(part) === true) continue
    work.push(...itemsIn(part, "allOf"))
    const followed = dereference(document, part)
    if (followed !== undefined) work.push(followed)
  }
}

const MAX_ALTERNATIVES = 100

/** What a schema refers to and the schemas that it lists for the same value, in their order. What an end lists is left out. */
export function* alternatives(
  document: OpenApiDocument,
  schema: Located,
  isEnd?: (part: Located) => boolean,
): Generator<Located> {
  const work = [schema]
  for (let count = 0; count < MAX_ALTERNATIVES; count++) {
    const next = work.pop()
    if (next === undefined) return
    const part = dereference(document, next) ?? next
    yield part
    if (isEnd?.(part) !== true)
      work.push(...["allOf", "oneOf", "anyOf"].flatMap((keyword) => itemsIn(part, keyword)).reverse())
  }
}

export const directBases = (document: OpenApiDocument, schema: Located): readonly Located[] =>
  [schema, ...itemsIn(schema, "allOf")].map((part) => referenceOf(document, part)).filter(isFound)

/** A base may be extended without end: more of them are not looked at. */
const MAX_EXTENDERS = 300

/** The schemas of the components that include this one directly, as a base with a discriminator expects of them. */
export const extendersOf = (document: OpenApiDocument, base: Located): readonly Located[] =>
  (extendersByBase(document).get(base.pointer) ?? []).slice(0, MAX_EXTENDERS)

const extendersByBase = memo((document: OpenApiDocument): ReadonlyMap<string, readonly Located[]> => {
  const found = new Map<string, Located[]>()
  const folder = schemasFolder(document)
  const schemas = valueAt(document.root, folder)
  for (const [name, value] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
    const schema = { value, pointer: `${folder}/${escapePointer(name)}` }
    const bases = new Set(directBases(document, schema).map(({ pointer }) => pointer))
    for (const base of bases) getOrCreate(found, base, () => []).push(schema)
  }
  return found
})

export const schemasFolder = ({ version }: OpenApiDocument): string =>
  version === "2.0" ? "/definitions" : "/components/schemas"

export type Mark = "readOnly" | "writeOnly"

export function excusedNames(document: OpenApiDocument, schema: Located, mark: Mark): readonly string[] {
  const names: string[] = []
  for (const part of inclusions(document, schema)) {
    for (const [name, property] of entriesIn(part, "properties"))
      if (isMarked(document, property, mark)) names.push(name)
  }
  return names
}

/** Returns true if a schema, or what it is made of, bears the mark. What stands nearer counts, whatever an included schema says. */
export const isMarked = (document: OpenApiDocument, schema: Located, mark: Mark): boolean =>
  isJsonObject(schema.value) &&
  getOrCreate(answers[mark], schema.value, () => findMark(document, schema, mark))

/** By schema: a document asks for the same property from every schema that includes another. */
const answers: { readonly [M in Mark]: WeakMap<object, boolean> } = {
  readOnly: new WeakMap(),
  writeOnly: new WeakMap(),
}

function findMark(document: OpenApiDocument, schema: Located, mark: Mark): boolean {
  const other = mark === "readOnly" ? "writeOnly" : "readOnly"
  for (const { value } of inclusions(document, schema, (part) => member(part.value, other) === true))
    if (member(value, mark) === true) return true
  return false
}
