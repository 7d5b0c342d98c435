// Recognizes files of other tools, which people put where callsheet expects a file of its own.

import { isJsonArray, isJsonObject, ownOf, type JsonObject, type JsonValue } from "../json/value.ts"

const isList = (object: JsonObject, key: string): boolean => isJsonArray(ownOf(object, key) ?? null)
const isText = (object: JsonObject, key: string): boolean => typeof ownOf(object, key) === "string"
const isObject = (object: JsonObject, key: string): boolean => isJsonObject(ownOf(object, key) ?? null)

const kinds: readonly (readonly [string, (file: JsonObject) => boolean])[] = [
  ["a Postman collection", (file) => isObject(file, "info") && isList(file, "item")],
  ["a Postman environment", (file) => isList(file, "values") && isText(file, "name")],
  ["an Insomnia export", (file) => isText(file, "_type") && isList(file, "resources")],
  ["a Bruno collection", (file) => isText(file, "version") && isText(file, "name") && isList(file, "items")],
  ["an Arazzo description", (file) => isText(file, "arazzo")],
  [
    "an OpenAPI document",
    (file) => (isText(file, "openapi") || isText(file, "swagger")) && isObject(file, "info"),
  ],
  ["a HAR file", (file) => isObject(file, "log") && isList(file["log"] as JsonObject, "entries")],
]

/** Returns the name of the other tool's format, if the value is clearly in one. */
export function foreignFormat(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || Object.hasOwn(value, "blocks")) return undefined
  return kinds.find(([, isKind]) => isKind(value))?.[0]
}
