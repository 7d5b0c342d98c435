// Finds the position of a new key in an object: the order of fields in its shape.

import type { ObjectShape, Shape } from "../shape/shape.ts"
import { findMember, stringEnd, type Member } from "./members.ts"

/** Returns the shape of the container at `open`. If a tag selects one of several shapes, returns that one. */
export function shapeAt(text: string, open: number, shape: Shape | undefined): Shape | undefined {
  if (shape?.is !== "variant" || text[open] !== "{") return shape
  const tag = findMember(text, open, shape.tag)
  if (tag === undefined || text[tag.valueAt] !== '"') return undefined
  const value = JSON.parse(text.slice(tag.valueAt, stringEnd(text, tag.valueAt))) as string
  return Object.hasOwn(shape.variants, value) ? shape.variants[value] : undefined
}

export function shapeBehind(shape: Shape | undefined, step: string | number): Shape | undefined {
  if (shape?.is === "array") return shape.items()
  if (shape?.is === "map") return shape.values
  if (shape?.is !== "object" || typeof step === "number") return undefined
  if (Object.hasOwn(shape.fields, step)) return shape.fields[step]?.shape
  return shape.others?.are === "values" ? shape.others.shape : undefined
}

/** Returns the index before the first key that is later in the order, or last if there is none or the key is unknown. */
export function indexOfKey(members: readonly Member[], key: string, shape: Shape | undefined): number {
  if (shape?.is !== "object") return members.length
  const rank = rankOf(shape, key)
  const later = members.findIndex((member) => rankOf(shape, member.key ?? "") > rank)
  return later === -1 || Number.isNaN(rank) ? members.length : later
}

/** Returns the position in the order. Names, such as variables, come after the format's keys; others have no position. */
function rankOf({ fields, others }: ObjectShape, key: string): number {
  if (Object.hasOwn(fields, key)) return Object.keys(fields).indexOf(key)
  return others?.are === "values" ? Infinity : NaN
}
