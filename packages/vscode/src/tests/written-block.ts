// Finds the block of a file that ran, by its expanded id: `get-2` is `get-{{$index}}`.

import type { ListedBlock } from "./listed-tests.ts"

interface Ran {
  readonly id: string
  readonly kind: string
}

/** Returns the block in the block with the id `parent`, or at the top. An equal id is preferred. */
export function findWritten(
  blocks: readonly ListedBlock[],
  parent: string | undefined,
  { id, kind }: Ran,
): ListedBlock | undefined {
  const siblings = blocks.filter((block) => block.in === parent && block.type === kind)
  return siblings.find((block) => block.id === id) ?? siblings.find((block) => isExpansion(block.id, id))
}

/** Returns whether an id can come from a written one, whose placeholders may be any text. Takes linear time. */
function isExpansion(written: string, id: string): boolean {
  const [first = "", ...rest] = written.split(/\{\{[^}]*\}\}/)
  const last = rest.pop()
  if (last === undefined || !id.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = id.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return id.length >= at + last.length && id.endsWith(last)
}
