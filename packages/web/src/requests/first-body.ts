// The first value of a required body. Pure.

import { isJsonObject, type BodyType, type JsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView, FieldView } from "@callsheet/server/calls"
import { emptyBody, likelyType } from "./body-types.ts"

/** Returns the first body of a request for an operation. Undefined if it needs none. */
export function firstBody(documented: BodyTypeView | undefined): JsonObject {
  if (documented?.required !== true) return {}
  const type = likelyType(documented)
  return { ...(type === "json" ? {} : { bodyType: type }), body: contentOf(documented, type) }
}

/** Returns the document's example. Without one, returns the required fields. */
function contentOf({ example, type: view }: BodyTypeView, type: BodyType): JsonValue {
  if (type === "json") return example ?? skeletonOf(view)
  if (type === "text") return typeof example === "string" ? example : ""
  if (type === "file") return emptyBody(type)
  return example !== undefined && isJsonObject(example) ? example : requiredTexts(view)
}

/** In a form, every field is text. */
const requiredTexts = ({ fields = [] }: FieldView): JsonObject =>
  Object.fromEntries(fields.filter(({ required }) => required === true).map(({ name }) => [name, ""]))

/** The maximum depth. Nobody fills in deeper levels by hand. */
const MAX_DEPTH = 6

/** Returns the smallest value of this type: only required fields, each with its first allowed value. */
function skeletonOf({ kinds, values, fields = [], items }: FieldView, depth = 0): JsonValue {
  const [value] = values ?? []
  if (value !== undefined) return value
  const [kind] = kinds ?? (fields.length > 0 ? ["object"] : [])
  if (kind === "object")
    return Object.fromEntries(
      fields
        .filter(({ required }) => required === true && depth < MAX_DEPTH)
        .map((field) => [field.name, skeletonOf(field, depth + 1)]),
    )
  if (kind === "array")
    return items?.fields === undefined || depth === MAX_DEPTH ? [] : [skeletonOf(items, depth + 1)]
  if (kind === "null") return null
  return kind === "number" ? 0 : kind === "boolean" ? false : ""
}
