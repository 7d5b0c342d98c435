// Whether a value may be a list or an object, as far as its schema plainly says: all that a request has to know of it.

import { isJsonArray } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { type Located, member } from "../document/located.ts"
import { alternatives } from "./schema-graph.ts"

export interface ValueKinds {
  readonly list: boolean
  readonly object: boolean
}

/** What a schema allows, itself or in one of its alternatives. */
export function valueKindsOf(document: OpenApiDocument, schema: Located): ValueKinds {
  const kinds = { list: false, object: false }
  for (const part of alternatives(document, schema)) {
    const type = member(part.value, "type")
    const types = isJsonArray(type) ? type : [type]
    const isUntold = type === undefined
    kinds.list ||= types.includes("array") || (isUntold && hasAny(part, ["items", "prefixItems"]))
    kinds.object ||=
      types.includes("object") || (isUntold && hasAny(part, ["properties", "additionalProperties"]))
  }
  return kinds
}

const hasAny = ({ value }: Located, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => member(value, keyword) !== undefined)
