// Changes what a request block sends, without leaving values of the last choice behind. Pure.

import {
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import type { TextEdit } from "../files/text/text-edit.ts"

export const overridesAt: JsonPointer = ["request", "overrides"]

/** `first` are the body values that the form filled in for the last operation. Those that the user changed stay. */
export function setOperation(
  text: TextEdit,
  target: { readonly api: string; readonly resource: string | undefined; readonly operation: string },
  first: JsonObject,
): void {
  const { api, resource, operation } = target
  text.set(["request", "api"], api)
  if (resource === undefined) text.unset(["request", "resource"])
  else text.set(["request", "resource"], resource)
  text.set(["request", "operation"], operation).unset(["request", "instance"])
  removeFirstValues(text, first)
}

/** The saved request has values of its own, so those that the form filled in go, too. */
export function setInstance(
  text: TextEdit,
  target: { readonly resource: string; readonly instance: string },
  first: JsonObject,
): void {
  text.set(["request", "resource"], target.resource)
  text.unset(["request", "operation"]).set(["request", "instance"], target.instance)
  removeFirstValues(text, first)
}

function removeFirstValues(text: TextEdit, first: JsonObject): void {
  for (const [path, value] of Object.entries(first)) {
    const pointer = [...overridesAt, "body", path]
    const written = text.read(pointer)
    if (written !== undefined && stringifyJson(written) === stringifyJson(value)) text.unset(pointer)
  }
  removeEmpty(text)
}

const places = ["query", "path", "header", "cookie"]

/** Removes empty objects in the overrides, and empty overrides. */
function removeEmpty(text: TextEdit): void {
  const inner = [...places.map((place) => ["params", place]), ["params"], ["body"], []]
  for (const pointer of inner.map((steps) => [...overridesAt, ...steps]))
    if (isEmpty(text.read(pointer))) text.unset(pointer)
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value !== undefined && isJsonObject(value) && Object.keys(value).length === 0
