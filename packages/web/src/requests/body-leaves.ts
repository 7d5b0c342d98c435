// A JSON body as rows: each value that has no parts, by the way to it. Pure.

import { formatPath, isJsonArray, isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"

export interface BodyLeaf {
  /** From the body on. */
  readonly pointer: JsonPointer
  readonly path: string
  readonly value: JsonValue
}

/** More fields than anybody fills in one by one. */
export const mostLeaves = 100

/** At most `mostLeaves`, in the order of the file. An empty object or array is one too. */
export function bodyLeaves(body: JsonValue): readonly BodyLeaf[] {
  const leaves: BodyLeaf[] = []
  const work: { readonly pointer: JsonPointer; readonly value: JsonValue }[] = [{ pointer: [], value: body }]
  for (let item = work.pop(); item !== undefined && leaves.length < mostLeaves; item = work.pop()) {
    const { pointer, value } = item
    const members = membersOf(value)
    if (members.length === 0) {
      if (pointer.length > 0) leaves.push({ pointer, path: formatPath(pointer.map(String)), value })
      continue
    }
    for (const [key, inner] of members.slice(0, mostLeaves).reverse())
      work.push({ pointer: [...pointer, key], value: inner })
  }
  return leaves
}

function membersOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (isJsonArray(value)) return value.slice(0, mostLeaves).map((item, index) => [index, item] as const)
  return isJsonObject(value) ? Object.entries(value) : []
}

/** Where a path leads in a body: a number is an index where an array is, or nothing yet. Undefined where it leads nowhere. */
export function pointerTo(body: JsonValue | undefined, segments: readonly string[]): JsonPointer | undefined {
  const pointer: (string | number)[] = []
  let here: JsonValue | undefined = body
  for (const [at, segment] of segments.entries()) {
    const isIndex = /^(?:0|[1-9][0-9]{0,8})$/.test(segment)
    const isFirst = at === 0
    if (here === undefined ? isFirst || !isIndex : isJsonObject(here)) {
      pointer.push(segment)
      here = isJsonObject(here) && Object.hasOwn(here, segment) ? here[segment] : undefined
    } else if (here === undefined || isJsonArray(here)) {
      const index = Number(segment)
      const length = here === undefined ? 0 : here.length
      if (!isIndex || index > length) return undefined
      pointer.push(index)
      here = here?.[index]
    } else return undefined
  }
  return pointer
}
