// The types of a body, and conversions between them. Pure.

import { isJsonObject, type BodyType, type JsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView, FieldView } from "@callsheet/server/calls"

export const bodyTypes: readonly (readonly [BodyType, string])[] = [
  ["json", "JSON"],
  ["form", "form fields"],
  ["multipart", "multipart, with files"],
  ["text", "text"],
  ["file", "a file of the project"],
]

export const bodyTypeOf = ({ bodyType }: JsonObject): BodyType =>
  bodyTypes.find(([known]) => known === bodyType)?.[0] ?? "json"

export function likelyType(documented: BodyTypeView | undefined): BodyType {
  const media = documented?.mediaType.split(";")[0]?.trim().toLowerCase() ?? "application/json"
  if (/[/+]json$/.test(media)) return "json"
  if (media === "application/x-www-form-urlencoded") return "form"
  if (media === "multipart/form-data") return "multipart"
  return media.startsWith("text/") || media.endsWith("xml") ? "text" : "json"
}

export const emptyBody = (type: BodyType): JsonValue => (type === "text" || type === "file" ? "" : {})

/** Converts the body to another type. Returns `lost` if nothing can be kept. */
export function bodyAs(
  body: JsonValue | undefined,
  type: BodyType,
): { readonly body: JsonValue; readonly isLost: boolean } {
  const wantsText = type === "text" || type === "file"
  const fits =
    body !== undefined && (type === "json" || (wantsText ? typeof body === "string" : isJsonObject(body)))
  if (fits) return { body, isLost: false }
  return { body: emptyBody(type), isLost: !isEmpty(body) }
}

const isEmpty = (body: JsonValue | undefined): boolean =>
  body === undefined || body === "" || (isJsonObject(body) && Object.keys(body).length === 0)

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
