// What stands at offsets of a JSON text: the other way around than `locate.ts`.

import type { JsonPointer } from "./locate.ts"
import { stringEnd } from "./members.ts"

/** A container that is open: the index of the item, or where the key of the member stands, that is read now. */
type Open = { index: number } | { key: { readonly from: number; readonly to: number } | undefined }

/**
 * Which value each offset of a well-formed text is in, or on the key of; between two members it is their container. Reads the
 * text once, however many offsets there are.
 */
export function jsonPointersAt(text: string, offsets: readonly number[]): readonly JsonPointer[] {
  const order = [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))
  const found: JsonPointer[] = offsets.map(() => [])
  const open: Open[] = []
  let done = 0
  const settle = (end: number): void => {
    for (let next = order[done]; next !== undefined && (offsets[next] ?? 0) < end; next = order[++done])
      found[next] = open.flatMap((container): JsonPointer => {
        if ("index" in container) return [container.index]
        const { key } = container
        return key === undefined ? [] : [JSON.parse(text.slice(key.from, key.to)) as string]
      })
  }
  const token = /["[\]{},]/g
  for (let match = token.exec(text); match !== null && done < order.length; match = token.exec(text)) {
    const [char] = match
    const top = open.at(-1)
    if (char === '"') {
      const end = stringEnd(text, match.index)
      settle(match.index)
      if (top !== undefined && "key" in top) top.key ??= { from: match.index, to: end }
      settle(end)
      token.lastIndex = end
      continue
    }
    settle(char === "[" || char === "{" ? match.index + 1 : match.index)
    if (char === "[") open.push({ index: 0 })
    else if (char === "{") open.push({ key: undefined })
    else if (char !== ",") open.pop()
    else if (top !== undefined && "index" in top) top.index++
    else if (top !== undefined) top.key = undefined
  }
  return found
}
