// Finds items and lists in the bodies of responses, which often wrap them: `{ "data": { … } }`, `{ "items": [ … ] }`.

import { memo, memberType, type ValueType } from "@callsheet/format"
import type { Operation } from "../document/operations.ts"
import { responseTypes, type DocumentedResponse } from "../response/response-types.ts"
import type { Steps } from "./resource-model.ts"
import { plainName, singular } from "./words.ts"

/** Returns the documented responses that mean success, the most likely first: 201, 200, other 2xx, `2XX`, `default`. */
export const successResponses = memo((operation: Operation): readonly DocumentedResponse[] => {
  const { method } = operation
  const order = method === "POST" || method === "PUT" ? ["201", "200"] : ["200"]
  const rank = ({ status }: DocumentedResponse): number =>
    order.includes(status) ? order.indexOf(status) : status === "2XX" ? 3 : 2
  const found = responseTypes(operation).filter(({ status }) => /^2(?:\d\d|XX)$/.test(status))
  return found.length > 0
    ? found.toSorted((a, b) => rank(a) - rank(b))
    : responseTypes(operation).filter(({ status }) => status === "default")
})

/** Returns the type of the first successful response that has a body. */
export const successBody = (operation: Operation): ValueType | undefined =>
  successResponses(operation).find(({ body }) => body !== undefined)?.body

/** Returns the type at a place. Undefined if the type doesn't describe it. */
export const typeAt = (type: ValueType | undefined, steps: Steps): ValueType | undefined =>
  steps.reduce<ValueType | undefined>((here, step) => here && memberType(here, step), type)

export const isKind = (type: ValueType | undefined, kind: "object" | "array"): boolean =>
  type?.kinds?.has(kind) === true

const wrappers = new Set(
  "data result results item items entries list payload response body values records".split(" "),
)

/**
 * Finds the object that `isItem` accepts: the body, or a member of it. Members with a usual name or the name of the
 * resource come first.
 */
export function itemPlace(
  body: ValueType | undefined,
  resource: string,
  isItem: (item: ValueType) => boolean,
): Steps | undefined {
  if (body === undefined || !isKind(body, "object")) return undefined
  if (isItem(body)) return []
  return membersOf(body, resource)
    .filter(({ type }) => isKind(type, "object") && isItem(type))
    .map(({ name }) => [name])[0]
}

/** Finds the array of a list: the body, a member of it, or a member of a wrapper. */
export function listPlace(body: ValueType | undefined, resource: string): Steps | undefined {
  if (body === undefined) return undefined
  if (isKind(body, "array")) return []
  if (!isKind(body, "object")) return undefined
  const members = membersOf(body, resource)
  // An item has lists, too, such as the lines of an order.
  const isItem = members.some(({ name }) => plainName(name) === "id")
  const direct = members.filter(({ type, isUsual }) => isList(type, isUsual) && (isUsual || !isItem))
  if (direct.length > 0) return direct.map(({ name }) => [name])[0]
  for (const { name, type } of members.filter((member) => wrappers.has(member.name.toLowerCase()))) {
    const inner = membersOf(type, resource).find((member) => isList(member.type, member.isUsual))
    if (inner !== undefined) return [name, inner.name]
  }
  return undefined
}

/** Returns whether a type is a list of items. A list of words, such as tags, needs the usual name. */
function isList(type: ValueType, isUsual: boolean): boolean {
  if (!isKind(type, "array")) return false
  return isUsual || memberType(type, "0")?.kinds?.has("object") === true
}

interface Member {
  readonly name: string
  readonly type: ValueType
  /** True for the names of wrappers and of the resource. */
  readonly isUsual: boolean
}

/** Returns the described members: the one with the resource's name, then those with the names of wrappers. */
function membersOf(type: ValueType, resource: string): readonly Member[] {
  const own = new Set([plainName(resource), plainName(singular(resource))])
  const rank = (name: string): number => {
    if (own.has(plainName(name))) return 3
    if (wrappers.has(name.toLowerCase())) return 2
    return name.toLowerCase() === "metadata" ? 1 : 0
  }
  const members = type.names().flatMap((name) => {
    const member = memberType(type, name)
    return member === undefined ? [] : [{ name, type: member, rank: rank(name) }]
  })
  return members
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ name, type: member, rank }) => ({ name, type: member, isUsual: rank > 1 }))
}
