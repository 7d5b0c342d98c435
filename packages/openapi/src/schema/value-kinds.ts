// Whether a value may be a list or an object, as far as its schema plainly says: all that a request has to know of it.

import { isJsonArray } from "@callsheet/format"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import { escapePointer, listMember, type Located, member } from "../document/located.ts"

export interface ValueKinds {
  readonly list: boolean
  readonly object: boolean
}

/** More schemas than this are not looked at. */
const MAX_SCHEMAS = 100

/** What a schema allows, itself or in one of its alternatives. */
export function valueKindsOf(document: OpenApiDocument, schema: Located): ValueKinds {
  const kinds = { list: false, object: false }
  const work: Located[] = [schema]
  for (let seen = 0; seen < MAX_SCHEMAS && work.length > 0; seen++) {
    const here = dereference(document, work.pop()!)
    if (here === undefined) continue
    const { value, pointer } = here
    const type = member(value, "type")
    const types = isJsonArray(type) ? type : [type]
    const isUntold = type === undefined
    kinds.list ||= types.includes("array") || (isUntold && hasAny(here, ["items", "prefixItems"]))
    kinds.object ||=
      types.includes("object") || (isUntold && hasAny(here, ["properties", "additionalProperties"]))
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      for (const [index, part] of listMember(value, keyword).entries())
        work.push({ value: part, pointer: `${pointer}/${escapePointer(keyword)}/${index}` })
  }
  return kinds
}

const hasAny = ({ value }: Located, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => member(value, keyword) !== undefined)
