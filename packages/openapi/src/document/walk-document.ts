// All of a document, and what its references lead to in other files, object by object: each once, without recursion.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "./document.ts"
import { escapePointer } from "./located.ts"
import { getOrCreate } from "./memo.ts"
import { type Inner, innerOf, type ObjectKind } from "./object-kinds.ts"

export interface Visit {
  readonly kind: ObjectKind
  readonly value: JsonObject
  /** As `Located` has it. */
  readonly pointer: string
}

export interface Part {
  readonly kind: ObjectKind
  readonly value: JsonValue
  readonly pointer: string
}

/** Calls `visit` with every object; what that gives back is walked too. */
export function walkDocument(document: OpenApiDocument, visit: (object: Visit) => readonly Part[]): void {
  // By kind: one file may be met as a schema and as a response.
  const seen = new Map<ObjectKind, Set<JsonObject>>()
  const work: Part[] = [{ kind: "document", value: document.root, pointer: "" }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { kind, value, pointer } = part
    if (!isJsonObject(value)) continue
    const ofKind = getOrCreate(seen, kind, () => new Set())
    if (ofKind.has(value)) continue
    ofKind.add(value)
    for (const led of visit({ kind, value, pointer })) work.push(led)
    for (const inner of innerParts({ kind, value, pointer }, document)) work.push(inner)
  }
}

function* innerParts({ kind, value, pointer }: Visit, document: OpenApiDocument): Generator<Part> {
  const isReference = typeof value["$ref"] === "string" && Object.hasOwn(value, "$ref")
  // What stands beside a reference is ignored, but in path items and, from 3.1 on, in schemas.
  const isIgnored = kind !== "pathItem" && (kind !== "schema" || isOldDialect(document))
  if (isReference && isIgnored) return
  for (const [field, inner] of Object.entries(value)) {
    const told = innerOf(kind, field)
    if (told !== undefined) yield* partsOf(told, inner, `${pointer}/${escapePointer(field)}`)
  }
}

function* partsOf({ kind, as }: Inner, value: JsonValue, pointer: string): Generator<Part> {
  if (isJsonArray(value)) {
    // `items` of old schemas is a list now and then; other lists where there should be none hold data.
    if (as !== "list" && kind !== "schema") return
    for (const [index, item] of value.entries()) yield { kind, value: item, pointer: `${pointer}/${index}` }
  } else if (as === "one") yield { kind, value, pointer }
  else if (as !== "list" && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (as === "paths" && name.startsWith("x-")) continue
      yield { kind, value: item, pointer: `${pointer}/${escapePointer(name)}` }
    }
  }
}
