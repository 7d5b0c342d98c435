// A part of a document: what it says, where it is, and the way from it along members and references.

import {
  type Finding,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
} from "@callsheet/format"
import { isOldDialect, nameIn, openFile, type OpenApiDocument } from "./document.ts"
import {
  escapePointer,
  listMember,
  member,
  objectMember,
  type PartName,
  readPartName,
  textMember,
  valueAt,
} from "./located.ts"
import { readTarget } from "./reference-target.ts"
import { findByAddress, schemaNamesOf } from "./schema-names.ts"

/** A chain of references longer than this goes in a circle. */
export const MAX_HOPS = 100

/** In the document's own file, or in another one that a reference leads to. */
export abstract class Part {
  abstract readonly document: OpenApiDocument
  abstract readonly value: JsonValue
  /** Its JSON pointer; in another file its name as `namePart` has it: `apis/shop/order.yaml#/Order`. */
  abstract readonly pointer: string

  get isOld(): boolean {
    return isOldDialect(this.document)
  }

  get isSwagger(): boolean {
    return this.document.version === "2.0"
  }

  member(key: string): JsonValue | undefined {
    return member(this.value, key)
  }

  text(key: string): string | undefined {
    return textMember(this.value, key)
  }

  object(key: string): JsonObject | undefined {
    return objectMember(this.value, key)
  }

  list(key: string): readonly JsonValue[] {
    return listMember(this.value, key)
  }

  inside(...keys: readonly (string | number)[]): Part | undefined {
    let { value, pointer } = this as Part
    for (const key of keys) {
      const next = typeof key === "number" && isJsonArray(value) ? value[key] : member(value, String(key))
      if (next === undefined) return undefined
      value = next
      pointer += `/${typeof key === "number" ? key : escapePointer(key)}`
    }
    return new WrittenPart(this.document, value, pointer)
  }

  /** The members of an object, or of the one that it has under a key. */
  entries(key?: string): readonly (readonly [name: string, part: Part])[] {
    const { document, value, pointer } = this
    const holder = key === undefined ? value : member(value, key)
    const at = key === undefined ? pointer : `${pointer}/${key}`
    return Object.entries(isJsonObject(holder) ? holder : {}).map(([name, inner]) => [
      name,
      new WrittenPart(document, inner, `${at}/${escapePointer(name)}`),
    ])
  }

  /** The same of a list. */
  items(key?: string): readonly Part[] {
    const { document, value, pointer } = this
    const holder = key === undefined ? value : member(value, key)
    const at = key === undefined ? pointer : `${pointer}/${key}`
    return isJsonArray(holder)
      ? holder.map((item, index) => new WrittenPart(document, item, `${at}/${index}`))
      : []
  }

  /** Follows a `$ref` that stands in the file of this part: by JSON pointer, `$anchor`, `$id` (3.1), or a path to another file. */
  resolve(reference: string): Part | undefined {
    const found = findReferenced(this.document, reference, this.pointer)
    return found.ok ? found.part : undefined
  }

  /** What its own reference leads to: `broken` if nothing is there, undefined if it has none. */
  reference(keyword: "$ref" | "$dynamicRef" | "$recursiveRef" = "$ref"): Part | "broken" | undefined {
    const reference = this.text(keyword)
    return reference === undefined ? undefined : (this.resolve(reference) ?? "broken")
  }

  /** The part itself or, where it is a `$ref`, what stands behind it. Undefined where that is nothing, or a circle. */
  dereference(hops = MAX_HOPS): Part | undefined {
    const next = this.reference()
    if (next === undefined) return this
    return next === "broken" || hops === 1 ? undefined : next.dereference(hops - 1)
  }

  dereferenceObject(): ObjectPart | undefined {
    const found = this.dereference()
    return isJsonObject(found?.value) ? (found as ObjectPart) : undefined
  }
}

export interface ObjectPart extends Part {
  readonly value: JsonObject
}

export class WrittenPart extends Part {
  readonly document: OpenApiDocument
  readonly value: JsonValue
  readonly pointer: string

  constructor(document: OpenApiDocument, value: JsonValue, pointer: string) {
    super()
    this.document = document
    this.value = value
    this.pointer = pointer
  }
}

export function partAt(document: OpenApiDocument, name: string): Part | undefined {
  const { file = document.source.file, pointer } = readPartName(name)
  const opened = openFile(document, file)
  const value = opened.ok ? valueAt(opened.file.root, pointer) : undefined
  return value === undefined ? undefined : new WrittenPart(document, value, name)
}

type FoundReference =
  | { readonly ok: true; readonly part: Part }
  /** `inside`: what is wrong in the file that it leads to, if that file cannot be read. */
  | { readonly ok: false; readonly problem: Finding; readonly inside?: readonly Problem[] }

/** What a reference in the part `from` leads to, or the reason why it leads nowhere. */
export function findReferenced(document: OpenApiDocument, reference: string, from: string): FoundReference {
  const own = document.source.file
  const holder = readPartName(from)
  const named = findNamed(document, reference, holder)
  if (named === "missing")
    return nothingAt("the schema of that address", reference.slice(reference.indexOf("#")))
  if (named !== undefined) return { ok: true, part: named }
  const read = readTarget(reference, holder.file ?? own)
  if (!read.ok) return read
  const { file, fragment } = read
  const opened = openFile(document, file)
  if (!opened.ok) return opened
  const { root } = opened.file
  const pointer =
    fragment === "" || fragment.startsWith("/") ? fragment : schemaNamesOf(root, file).anchors.get(fragment)
  const value = pointer === undefined ? undefined : valueAt(root, pointer)
  if (pointer === undefined || value === undefined)
    return nothingAt(file === own ? "the document" : file, `#${fragment}`)
  return { ok: true, part: new WrittenPart(document, value, nameIn(document, file, pointer)) }
}

const nothingAt = (where: string, place: string): FoundReference => ({
  ok: false,
  problem: { code: "document-invalid", message: `${where} has nothing at ${JSON.stringify(place)}` },
})

/** By the addresses that schemas give themselves, from 3.1 on; undefined where that says nothing of the reference. */
function findNamed(
  document: OpenApiDocument,
  reference: string,
  { file = document.source.file, pointer }: PartName,
): Part | "missing" | undefined {
  if (isOldDialect(document)) return undefined
  const opened = openFile(document, file)
  if (!opened.ok) return undefined
  const found = findByAddress(reference, { file: opened.file, pointer, main: document })
  if (found === undefined || found === "missing") return found
  return new WrittenPart(document, found.value, nameIn(document, found.file.source.file, found.pointer))
}
