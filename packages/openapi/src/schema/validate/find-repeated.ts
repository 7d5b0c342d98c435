// Equal items of a list, in time that grows with the items and not with their square.

import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from "@callsheet/format"
import { member } from "../../document/located.ts"
import { getOrCreate } from "../../document/memo.ts"

/** The places of the first two equal items. */
export function findRepeated(items: JsonArray): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item)
    const first = seen.get(text)
    if (first !== undefined) return [first, index]
    seen.set(text, index)
  }
  return undefined
}

/** Whether no two items are equal. Objects mostly differ in a member that is cheap to compare, such as their id. */
export function areDistinct(items: JsonArray): boolean {
  if (items.length < 2) return true
  if (items.length <= FEW && items.every((item) => typeof item === "string"))
    return items.every((item, at) => items.indexOf(item) === at)
  const areObjects = items.every(isJsonObject)
  const keys = areObjects ? Object.keys(items[0] ?? {}).slice(0, MAX_KEYS) : []
  let alike = areObjects ? [items] : likeItems(items, scalarOf)
  for (const key of keys) {
    if (alike.length === 0) return true
    alike = alike.flatMap((group) => likeItems(group, (item) => scalarAt(item, key)))
  }
  return alike.every((group) => findRepeated(group) === undefined)
}

/** So few texts are compared with each other sooner than they are put into a set. */
const FEW = 8

/** Members that are tried to tell objects apart, before they are compared as a whole. */
const MAX_KEYS = 8

/** Stands for every array and every object. */
const structure = Symbol("array or object")

type Scalar = Exclude<JsonValue, object> | null | undefined | typeof structure

/** The items that a scalar does not tell apart from others, in groups. */
function likeItems(items: JsonArray, scalarIn: (item: JsonValue) => Scalar): readonly JsonArray[] {
  const scalars = new Set<Scalar>()
  for (const item of items) scalars.add(scalarIn(item))
  if (scalars.size === items.length) return []
  const groups = new Map<Scalar, JsonValue[]>()
  for (const item of items) {
    getOrCreate(groups, scalarIn(item), () => []).push(item)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

const scalarAt = (item: JsonValue, key: string): Scalar => scalarOf(member(item, key))

/** Large integers are numbers or bigints, by how they were written. */
function scalarOf(value: JsonValue | undefined): Scalar {
  if (typeof value === "object") return value === null ? null : structure
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value
}

/** Equal for equal values only, whatever the order of keys and however a number is held. */
function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(",")}]`
  if (isJsonObject(value)) {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner)}`)
    return `{${members.join(",")}}`
  }
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString()
  return typeof value === "string" ? JSON.stringify(value) : String(value)
}
