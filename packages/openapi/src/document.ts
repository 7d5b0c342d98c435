// An OpenAPI document as a value, and the way along its references.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import { anchorsOf } from "./anchors.ts"
import { valueAt } from "./json-pointer.ts"

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2"

export interface OpenApiDocument {
  readonly source: SourceFile
  readonly version: OpenApiVersion
  /** The tree as written. Read through `member`: a key may be named `__proto__`. */
  readonly root: JsonObject
}

/** A part of a document with its JSON pointer. */
export interface Located {
  readonly value: JsonValue
  readonly pointer: string
}

/** An own property of a value, where it is an object that has it. */
export const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** A member that is an object; anything else counts as absent. */
export function objectMember(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = member(value, key)
  return isJsonObject(found) ? found : undefined
}

/** A member that is a string; anything else counts as absent. */
export function textMember(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

/** A member that is a list; anything else counts as empty. */
export function listMember(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const found = member(value, key)
  return isJsonArray(found) ? found : []
}

/**
 * What one `$ref` of this document leads to: a URI fragment that is a JSON pointer (RFC 6901 section 6) or, in schemas,
 * an `$anchor`. Undefined where it leads nowhere, or out of the document.
 */
export function resolveReference(document: OpenApiDocument, reference: string): Located | undefined {
  const fragment = fragmentOf(reference)
  if (fragment === undefined) return undefined
  const pointer =
    fragment === "" || fragment.startsWith("/") ? fragment : anchorsOf(document.root).get(fragment)
  const value = pointer === undefined ? undefined : valueAt(document.root, pointer)
  return value === undefined ? undefined : { value, pointer: pointer! }
}

function fragmentOf(reference: string): string | undefined {
  if (!reference.startsWith("#")) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined // a `%` that encodes nothing
  }
}

/** A chain of references longer than this goes in a circle. */
const MAX_HOPS = 100

/** The part itself or, where it is a `$ref`, what stands behind it. Undefined where that is nothing, or a circle. */
export function dereference(document: OpenApiDocument, part: Located): Located | undefined {
  let here: Located | undefined = part
  for (let hop = 0; hop < MAX_HOPS && here !== undefined; hop++) {
    const reference = textMember(here.value, "$ref")
    if (reference === undefined) return here
    here = resolveReference(document, reference)
  }
  return undefined
}
