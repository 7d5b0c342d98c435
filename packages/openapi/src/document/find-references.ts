// Finds the references of a document and of the files that it references. A `$ref` in data, such as an example, or in an
// extension isn't one.

import { isJsonObject, type JsonObject } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { objectMember, textMember } from "./located.ts"
import { type Inner, innerOf, mayBeReference } from "./object-kinds.ts"
import { findReferenced } from "./part.ts"
import { ignoresFields, partsOf, type Visit, walkDocument, type Walked } from "./walk-document.ts"

/** The objects whose `$ref` is a reference, and the mappings of discriminators, whose values may be references. */
export interface References {
  readonly holders: ReadonlySet<JsonObject>
  readonly mappings: ReadonlySet<JsonObject>
}

interface Site {
  readonly reference: string
  readonly pointer: string
  readonly inner: Inner
}

export function findReferences(document: OpenApiDocument): References {
  const holders = new Set<JsonObject>()
  const mappings = new Set<JsonObject>()
  const follow = ({ reference, pointer, inner }: Site): readonly Walked[] => {
    const found = findReferenced(document, reference, pointer)
    return found.ok ? [...partsOf(inner, found.part.value, found.part.pointer)] : []
  }
  walkDocument(document, (visit) => {
    const { kind, value, pointer } = visit
    const own = mayBeReference(kind) ? textMember(value, "$ref") : undefined
    if (own !== undefined) holders.add(value)
    const mapping = kind === "schema" ? mappingOf(value) : undefined
    if (mapping !== undefined) mappings.add(mapping)
    const mapped = Object.values(mapping ?? {}).filter((one) => isMappedReference(one))
    const misplaced = ignoresFields(visit, document) ? [] : misplacedIn(visit)
    for (const { holder } of misplaced) holders.add(holder)
    const asSchema = { kind: "schema", as: "one" } as const
    return [
      ...(own === undefined ? [] : follow({ reference: own, pointer, inner: { kind, as: "one" } })),
      ...mapped.flatMap((reference) => follow({ reference, pointer, inner: asSchema })),
      ...misplaced.flatMap(({ reference, inner }) => follow({ reference, pointer, inner })),
    ]
  })
  return { holders, mappings }
}

const mappingOf = (schema: JsonObject): JsonObject | undefined =>
  objectMember(objectMember(schema, "discriminator"), "mapping")

/** Returns whether a value of a mapping is a reference. The others are names of schemas. */
export const isMappedReference = (value: unknown): value is string =>
  typeof value === "string" && /^[.#]|\.(?:json|ya?ml)(?:#|$)/i.test(value)

/** Returns the references that replace a whole field, such as `paths`, which callsheet follows. */
const misplacedIn = ({ kind, value }: Visit) =>
  Object.entries(value).flatMap(([field, holder]) => {
    const reference = textMember(holder, "$ref")
    const inner = reference === undefined ? undefined : innerOf(kind, field)
    if (reference === undefined || inner === undefined || !isJsonObject(holder)) return []
    if (inner.as === "one" && mayBeReference(inner.kind)) return []
    return [{ holder, reference, inner }]
  })
