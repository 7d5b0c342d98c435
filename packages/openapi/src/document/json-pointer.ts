// JSON pointers (RFC 6901) as texts: how a part of a document is named.

import { isJsonArray, isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"

/** Escapes one step. */
export const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** The steps of a pointer as locators take them: those into a list are numbers. */
export function pointerSteps(root: JsonValue, pointer: string): JsonPointer {
  let value: JsonValue | undefined = root
  return pointer
    .split("/")
    .slice(1)
    .map((escaped) => {
      const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~")
      const step = isJsonArray(value) ? Number(key) : key
      if (isJsonArray(value)) value = value[Number(key)]
      else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
      return step
    })
}

/** The value at a pointer, by own properties alone; undefined where there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const escaped of pointer.split("/").slice(1)) {
    const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~")
    if (isJsonArray(value)) value = /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}
