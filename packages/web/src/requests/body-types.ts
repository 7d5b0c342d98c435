// The types of a body, and conversions between them. Pure.

import { isJsonObject, type BodyType, type JsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"

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
