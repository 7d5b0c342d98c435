// A part of a document: its value, its location, and its members and references, which are parts too.

import {
  type Finding,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  stepInto,
} from "@callsheet/format"
import { isOldDialect, openFile, type OpenApiDocument, type OpenPlace, openPlace } from "./document.ts"
import {
  escapePointer,
  pointerKeys,
  listMember,
  member,
  namePart,
  objectMember,
  textMember,
  valueAt,
} from "./located.ts"
import { readTarget } from "./document-files.ts"
import { findByAddress, schemaNamesOf } from "./schema-names.ts"
import { messages } from "./messages.ts"
import { placeNear } from "./place-near.ts"

/** The maximum length of a chain of references. A longer chain counts as a cycle. */
export const MAX_HOPS = 100

/** A part of the document's own file or of a file that it references. */
export abstract class Part {
  abstract readonly document: OpenApiDocument
  abstract readonly value: JsonValue
  /**
   * The part's JSON pointer in the document or, in another file, a name made by `namePart`:
   * `apis/shop/order.yaml#/Order`.
   */
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
    const written = objectMember(this.value, key)
    if (textMember(written, "$ref") === undefined) return written
    const value = this.holder(key)?.value
    return isJsonObject(value) ? value : undefined
  }

  list(key: string): readonly JsonValue[] {
    return listMember(this.value, key)
  }

  inside(...keys: readonly (string | number)[]): Part | undefined {
    let { value, pointer } = this as Part
    for (const [index, key] of keys.entries()) {
      const next = typeof key === "number" && isJsonArray(value) ? value[key] : member(value, String(key))
      if (next === undefined) {
        const holder = index > 0 ? followHolder(new WrittenPart(this.document, value, pointer)) : undefined
        return holder?.inside(...keys.slice(index))
      }
      value = next
      pointer += `/${typeof key === "number" ? key : escapePointer(key)}`
    }
    return new WrittenPart(this.document, value, pointer)
  }

  /**
   * Returns the part under a key that holds a list or a map. Follows a reference in its place, which the standard
   * doesn't allow but tools that join files do.
   */
  holder(key: string): Part | undefined {
    const written = this.inside(key)
    return written && (followHolder(written) ?? written)
  }

  /** Returns the part's members, or those of the object under a key. */
  entries(key?: string): readonly (readonly [name: string, part: Part])[] {
    const holder = key === undefined ? this : this.holder(key)
    if (holder === undefined || !isJsonObject(holder.value)) return []
    return Object.entries(holder.value).map(([name, inner]) => [
      name,
      new WrittenPart(this.document, inner, `${holder.pointer}/${escapePointer(name)}`),
    ])
  }

  /** Returns the part's items, or those of the list under a key. */
  items(key?: string): readonly Part[] {
    const holder = key === undefined ? this : this.holder(key)
    if (holder === undefined || !isJsonArray(holder.value)) return []
    return holder.value.map((item, at) => new WrittenPart(this.document, item, `${holder.pointer}/${at}`))
  }

  /** Follows a `$ref` in this part's file: a JSON pointer, an `$anchor`, an `$id` (3.1), or a path to another file. */
  resolve(reference: string): Part | undefined {
    const found = findReferenced(this.document, reference, this.pointer)
    return found.ok ? found.part : undefined
  }

  /**
   * Returns the target of the part's reference, or `broken` if the target doesn't exist. Undefined if the part has no
   * reference.
   */
  reference(keyword: "$ref" | "$dynamicRef" | "$recursiveRef" = "$ref"): Part | "broken" | undefined {
    const reference = this.text(keyword)
    return reference === undefined ? undefined : (this.resolve(reference) ?? "broken")
  }

  /**
   * Returns the target of the part's `$ref`, or the part itself if it has none. Undefined if the reference is broken or
   * cyclic.
   */
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

const followHolder = (written: Part): Part | undefined =>
  written.text("$ref") === undefined ? undefined : written.dereference()

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
  const place = openPlace(document, name)
  return place && partIn(document, place)
}

export function partIn(document: OpenApiDocument, { file, pointer }: OpenPlace): Part | undefined {
  const value = valueAt(file.root, pointer)
  if (value === undefined) return undefined
  const name = file === document ? pointer : namePart({ file: file.source.file, pointer })
  return new WrittenPart(document, value, name)
}

type ReferenceResult =
  | { readonly ok: true; readonly part: Part }
  /**
   * Returned if a reference fails. `inside` lists the problems in the target file if it can't be read. `near` finds the
   * reference that was probably meant.
   */
  | {
      readonly ok: false
      readonly problem: Finding
      readonly inside?: readonly Problem[]
      readonly near?: () => string | undefined
    }

export const findReferenced = (document: OpenApiDocument, reference: string, from: string): ReferenceResult =>
  findWithin({ left: MAX_HOPS }, document, { reference, from })

/** Counts the references that one location leads through. Each of them may lead through others. */
interface Hops {
  left: number
}

interface Sought {
  readonly reference: string
  readonly from: string
}

function findWithin(hops: Hops, document: OpenApiDocument, { reference, from }: Sought): ReferenceResult {
  const holder = openPlace(document, from) ?? { file: document, pointer: "" }
  // From 3.1 on, schemas can give themselves addresses.
  const named = isOldDialect(document) ? undefined : findByAddress(reference, holder, document)
  if (named === "missing")
    return nothingAt("the schema of that address", reference.slice(reference.indexOf("#")))
  const own = named && partIn(document, named)
  if (own !== undefined) return { ok: true, part: own }
  const read = readTarget(reference, holder.file.source.file)
  if (!read.ok) return read
  const opened = openFile(document, read.file)
  if (!opened.ok) return opened
  const { file } = opened
  const { fragment } = read
  const isPointer = fragment === "" || fragment.startsWith("/")
  const pointer = isPointer ? fragment : schemaNamesOf(file).anchors.get(fragment)
  const part = pointer === undefined ? undefined : partBehind(hops, document, { file, pointer })
  if (part !== undefined) return { ok: true, part }
  const near = (): string | undefined => {
    const place = isPointer ? placeNear(file.root, fragment) : undefined
    return place && reference.replace(/#.*$/s, () => `#${place}`)
  }
  return { ...nothingAt(file === document ? "the document" : read.file, `#${fragment}`), near }
}

/**
 * Finds a part whose location leads through a reference, as in a document with a reference in place of its schemas.
 */
function partBehind(hops: Hops, document: OpenApiDocument, place: OpenPlace): Part | undefined {
  const found = partIn(document, place)
  if (found !== undefined || hops.left === 0) return found
  hops.left--
  const { file, pointer } = place
  let here = ""
  let value: JsonValue | undefined = file.root
  for (const key of pointerKeys(pointer)) {
    const next: JsonValue | undefined = stepInto(value, key)
    if (next === undefined) break
    value = next
    here += `/${escapePointer(key)}`
  }
  const reference = textMember(value, "$ref")
  if (reference === undefined) return undefined
  const from = file === document ? here : namePart({ file: file.source.file, pointer: here })
  const target = findWithin(hops, document, { reference, from })
  const behind = target.ok ? openPlace(document, target.part.pointer + pointer.slice(here.length)) : undefined
  return behind && partBehind(hops, document, behind)
}

const nothingAt = (where: string, place: string) =>
  ({ ok: false, problem: messages["document-invalid"].nothingThere(where, place) }) as const
