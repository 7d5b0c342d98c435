// The names that schemas of a document give themselves: `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 section 8.2.2).

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { escapePointer } from "./json-pointer.ts"

const known = new WeakMap<object, ReadonlyMap<string, string>>()
const none: ReadonlyMap<string, string> = new Map()

/** Anchor -> JSON pointer of the schema that has it. Made when a reference first needs it. */
export function anchorsOf(root: JsonValue): ReadonlyMap<string, string> {
  if (typeof root !== "object" || root === null) return none
  let anchors = known.get(root)
  if (anchors === undefined) {
    anchors = findAnchors(root)
    known.set(root, anchors)
  }
  return anchors
}

// Data, in which a member of that name means nothing.
const dataKeys = new Set(["example", "examples", "enum", "const", "default"])

// What stands in these bears names of the author's choice, such as a property `default` or the status `default`.
const namesKeys = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
  "schemas",
  "responses",
])

interface Part {
  readonly value: JsonValue
  readonly pointer: string
  readonly hasNames: boolean
}

function findAnchors(root: JsonValue): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>()
  const work: Part[] = [{ value: root, pointer: "", hasNames: false }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { value, pointer, hasNames } = part
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries())
        work.push({ value: item, pointer: `${pointer}/${index}`, hasNames: false })
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        const isAnchor = (key === "$anchor" || key === "$dynamicAnchor") && typeof inner === "string"
        if (isAnchor && !anchors.has(inner)) anchors.set(inner, pointer)
        if (!hasNames && dataKeys.has(key)) continue
        const holdsNames = !hasNames && namesKeys.has(key)
        work.push({ value: inner, pointer: `${pointer}/${escapePointer(key)}`, hasNames: holdsNames })
      }
    }
  }
  return anchors
}
