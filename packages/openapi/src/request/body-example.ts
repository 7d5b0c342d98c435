// What a document gives as an example of a request body.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import type { MediaType } from "../document/content.ts"
import { dereference, member, objectMember, type OpenApiDocument } from "../document/document.ts"

/**
 * That of the media type, the first of several, or that of its schema. Undefined where there is none.
 *
 * @example
 * bodyExample(document, media) // { sku: "MUG-01", quantity: 2 }
 */
export function bodyExample(document: OpenApiDocument, { value, schema }: MediaType): JsonValue | undefined {
  if (value !== undefined) {
    const own = member(value.value, "example")
    if (own !== undefined) return own
    const [first] = Object.entries(objectMember(value.value, "examples") ?? {})
    const named =
      first === undefined
        ? undefined
        : dereference(document, { value: first[1], pointer: `${value.pointer}/examples` })
    const given = named === undefined ? undefined : member(named.value, "value")
    if (given !== undefined) return given
  }
  const described = schema === undefined ? undefined : dereference(document, schema)?.value
  if (!isJsonObject(described)) return undefined
  const examples = described["examples"]
  return described["example"] ?? (examples !== undefined && isJsonArray(examples) ? examples[0] : undefined)
}
