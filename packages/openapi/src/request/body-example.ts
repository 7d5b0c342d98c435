// What a document gives as an example of a request body.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import type { MediaType } from "../document/content.ts"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import { entriesIn, member } from "../document/located.ts"

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
    const [first] = entriesIn(value, "examples")
    const given = first && member(dereference(document, first[1])?.value, "value")
    if (given !== undefined) return given
  }
  const described = schema === undefined ? undefined : dereference(document, schema)?.value
  if (!isJsonObject(described)) return undefined
  const examples = described["examples"]
  return described["example"] ?? (examples !== undefined && isJsonArray(examples) ? examples[0] : undefined)
}
