// The schemas that include a base by `allOf`, as a base with a discriminator expects of them.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { type OpenApiDocument, resolveReference } from "../document/document.ts"
import { escapePointer, listMember, type Located, textMember, valueAt } from "../document/located.ts"
import { getOrCreate, memo } from "../document/memo.ts"

/** More of them are not looked at; a base may be extended without end anyway. */
const MAX_EXTENDERS = 300

/** Schemas of the components that extend this one directly. The components are read once, at the first base. */
export const extendersOf = (document: OpenApiDocument, base: Located): readonly Located[] =>
  (extendersByBase(document).get(base.pointer) ?? []).slice(0, MAX_EXTENDERS)

const extendersByBase = memo((document: OpenApiDocument): ReadonlyMap<string, readonly Located[]> => {
  const found = new Map<string, Located[]>()
  const folder = document.version === "2.0" ? "/definitions" : "/components/schemas"
  const schemas = valueAt(document.root, folder)
  for (const [name, value] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
    const extender = { value, pointer: `${folder}/${escapePointer(name)}` }
    for (const reference of includedBy(value)) {
      const base = resolveReference(document, reference, extender.pointer)?.pointer
      if (base === undefined) continue
      getOrCreate(found, base, () => []).push(extender)
    }
  }
  return found
})

function includedBy(schema: JsonValue): ReadonlySet<string> {
  const parts: readonly (JsonValue | undefined)[] = isJsonArray(schema)
    ? []
    : [schema, ...listMember(schema, "allOf")]
  return new Set(parts.map((part) => textMember(part, "$ref")).filter((reference) => reference !== undefined))
}
