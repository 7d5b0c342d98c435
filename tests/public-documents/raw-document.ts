// A document as parsed JSON or YAML and nothing more: the workflows here are independent of packages/openapi.

import { load } from "js-yaml"

export type Raw = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Raw =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectAt = (value: unknown, key: string): Raw => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isObject(found) ? found : {}
}

export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(found) ? found : []
}

export const parseDocument = (text: string, extension: "json" | "yaml"): Raw => {
  const root: unknown = extension === "json" ? JSON.parse(text) : load(text)
  if (!isObject(root)) throw new Error("a document is an object")
  return root
}

const longestChain = 50

/** The target of a chain of references, or undefined if one doesn't resolve. */
export function follow(root: Raw, value: unknown): unknown {
  let at = value
  for (let step = 0; step < longestChain; step++) {
    if (!isObject(at)) return at
    if (typeof at["$ref"] === "string") at = pointed(root, at["$ref"])
    else if (typeof at["$dynamicRef"] === "string") at = firstAnchored(root, at["$dynamicRef"].slice(1))
    else return at
  }
  return undefined
}

/** The first schema of the document with the anchor. If each is defined once, it is the right one. */
function firstAnchored(root: Raw, name: string): unknown {
  const waiting: unknown[] = [root]
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (isObject(next) && next["$dynamicAnchor"] === name) return next
    if (typeof next === "object" && next !== null)
      waiting.push(...(Object.values(next) as unknown[]).reverse())
  }
  return undefined
}

function pointed(root: Raw, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined
  let at: unknown = root
  for (const segment of reference.slice(2).split("/")) {
    const key = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(at)) at = at[Number(key)] as unknown
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key]
    else return undefined
  }
  return at
}
