// Finds values in a document by JSON pointer (RFC 6901), and the members of those values.

import {
  isJsonArray,
  type JsonPointer,
  type JsonValue,
  pointerKeys,
  stepInto,
  unescapePointer,
} from "@callsheet/format"

export { escapePointer, listMember, member, objectMember, pointerKeys, textMember } from "@callsheet/format"

export const lastKey = (pointer: string): string =>
  unescapePointer(pointer.slice(pointer.lastIndexOf("/") + 1))

export function pointerSteps(root: JsonValue, pointer: string): JsonPointer {
  let value: JsonValue | undefined = root
  return pointerKeys(pointer).map((key) => {
    const step = isJsonArray(value) ? Number(key) : key
    value = stepInto(value, key)
    return step
  })
}

export const valueAt = (root: JsonValue, pointer: string): JsonValue | undefined =>
  pointerKeys(pointer).reduce<JsonValue | undefined>(stepInto, root)

export interface PartName {
  readonly file?: string
  readonly pointer: string
}

/** Formats a unique name: `/paths/~1orders` in the document, `apis/shop/order.yaml#/Order` in another file. */
export const namePart = ({ file, pointer }: PartName): string =>
  file === undefined ? pointer : `${file.replaceAll("%", "%25").replaceAll("#", "%23")}#${pointer}`

export function readPartName(name: string): PartName {
  if (isInDocument(name)) return { pointer: name }
  const end = name.indexOf("#")
  const file = name.slice(0, end).replaceAll("%23", "#").replaceAll("%25", "%")
  return { file, pointer: name.slice(end + 1) }
}

/** Formats a part's name for messages: `#/paths/~1orders`, `apis/shop/order.yaml#/Order`. */
export const showPart = (name: string): string => (isInDocument(name) ? `#${name}` : name)

/** Returns whether a name is a pointer in the document. A path of another file never starts with a slash. */
const isInDocument = (name: string): boolean => name === "" || name.startsWith("/")
