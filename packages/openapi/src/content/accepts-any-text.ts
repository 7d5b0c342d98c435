// Decides whether a schema accepts any text, so that a body that can't be read leaves nothing unchecked.

import { isJsonObject, memo } from "@callsheet/format"
import type { Part } from "../document/part.ts"

/** Returns false if the schema may reject some text. */
export const acceptsAnyText = memo((schema: Part): boolean => {
  const { value } = schema.dereference() ?? schema
  if (!isJsonObject(value)) return value === true
  return Object.entries(value).every(([keyword, given]) => {
    if (keyword === "type") return [given].flat().some((type) => type === "string" || type === "file")
    if (keyword === "format") return given === "binary" || given === "byte"
    return annotations.has(keyword) || keyword.startsWith("x-")
  })
})

const annotations: ReadonlySet<string> = new Set(
  "title description default example examples deprecated readOnly writeOnly nullable $comment externalDocs xml contentEncoding contentMediaType".split(
    " ",
  ),
)
