// What a body that a document requires begins with. Pure.

import { isJsonObject, type BodyType, type JsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView, FieldView } from "@callsheet/server/calls"
import { emptyBody, likelyType } from "./body-types.ts"

/** What a new request of an operation says of its body: nothing, where it needs none. */
export function firstBody(documented: BodyTypeView | undefined): JsonObject {
  if (documented?.required !== true) return {}
  const type = likelyType(documented)
  return { ...(type === "json" ? {} : { bodyType: type }), body: contentOf(documented, type) }
}

/** The example of the document, else what must be there. */
function contentOf({ example, type: view }: BodyTypeView, type: BodyType): JsonValue {
  if (type === "json") return example ?? skeletonOf(view)
  if (type === "text") return typeof example === "string" ? example : ""
  if (type === "file") return emptyBody(type)
  return example !== undefined && isJsonObject(example) ? example : requiredTexts(view)
}

/** Of a form: each field is written as text. */
const requiredTexts = ({ fields = [] }: FieldView): JsonObject =>
  Object.fromEntries(fields.filter(({ required }) => required === true).map(({ name }) => [name, ""]))

/** Deeper than people fill in by hand. */
const mostDepth = 6

/** The least that has the form of it: what is required, with the first of the values that it may have. */
function skeletonOf({ kinds, values, fields = [], items }: FieldView, depth = 0): JsonValue {
  const [value] = values ?? []
  if (value !== undefined) return value
  const [kind] = kinds ?? (fields.length > 0 ? ["object"] : [])
  if (kind === "object")
    return Object.fromEntries(
      fields
        .filter(({ required }) => required === true && depth < mostDepth)
        .map((field) => [field.name, skeletonOf(field, depth + 1)]),
    )
  if (kind === "array")
    return items?.fields === undefined || depth === mostDepth ? [] : [skeletonOf(items, depth + 1)]
  if (kind === "null") return null
  return kind === "number" ? 0 : kind === "boolean" ? false : ""
}
