// Visits every object of a document and of the files that it references, once each and without recursion.

import { getOrCreate, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "./document.ts"
import { escapePointer, textMember } from "./located.ts"
import { type Inner, innerOf, type ObjectKind } from "./object-kinds.ts"

export interface Walked {
  readonly kind: ObjectKind
  readonly value: JsonValue
  /** The location, in the format of `Part.pointer`. */
  readonly pointer: string
}

export interface Visit extends Walked {
  readonly value: JsonObject
}

/** Calls `visit` with every object, then walks the parts that `visit` returns. */
export function walkDocument(document: OpenApiDocument, visit: (object: Visit) => readonly Walked[]): void {
  // Keeps a set per kind, because a document may reference one file both as a schema and as a response.
  const seen = new Map<ObjectKind, Set<JsonObject>>()
  const work: Walked[] = [{ kind: "document", value: document.root, pointer: "" }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { kind, value, pointer } = part
    if (!isJsonObject(value)) continue
    const ofKind = getOrCreate(seen, kind, () => new Set())
    if (ofKind.has(value)) continue
    ofKind.add(value)
    const object = { kind, value, pointer }
    for (const next of [...visit(object), ...innerParts(object, document)]) work.push(next)
  }
}

function* innerParts(object: Visit, document: OpenApiDocument): Generator<Walked> {
  if (ignoresFields(object, document)) return
  const { kind, value, pointer } = object
  for (const [field, inner] of Object.entries(value)) {
    const known = innerOf(kind, field)
    if (known !== undefined) yield* partsOf(known, inner, `${pointer}/${escapePointer(field)}`)
  }
}

/** Returns whether the fields beside a reference have no effect. They do in path items and, from 3.1 on, in schemas. */
export const ignoresFields = ({ kind, value }: Visit, document: OpenApiDocument): boolean =>
  kind !== "pathItem" &&
  (kind !== "schema" || isOldDialect(document)) &&
  textMember(value, "$ref") !== undefined

/** Yields the objects in a field. */
export function* partsOf({ kind, as }: Inner, value: JsonValue, pointer: string): Generator<Walked> {
  if (isJsonArray(value)) {
    // Old schemas may have a list in `items`. Anywhere else, an unexpected list is data.
    if (as !== "list" && kind !== "schema") return
    for (const [index, item] of value.entries()) yield { kind, value: item, pointer: `${pointer}/${index}` }
  } else if (as === "one") yield { kind, value, pointer }
  else if (as === "map" && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value))
      yield { kind, value: item, pointer: `${pointer}/${escapePointer(name)}` }
  }
}
