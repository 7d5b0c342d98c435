// How many steps a matcher that goes back, such as V8's, may take for a pattern. Never less than it does; often far more.

import type { PatternNode } from "./parse-pattern.ts"

/** Most steps for a text of `length` characters, but for a factor. */
export function costOf(pattern: PatternNode, length: number): number {
  const starts = isAnchored(pattern) ? 1 : Math.max(1, length)
  return starts * ways(pattern, length)
}

/** Whether a match can begin at the text's start alone. */
export function isAnchored(node: PatternNode): boolean {
  switch (node.type) {
    case "edge":
      return node.edge === "start"
    case "choice":
      return node.branches.every(isAnchored)
    case "sequence":
      return node.parts[0] !== undefined && isAnchored(node.parts[0])
    default:
      return false
  }
}

/** In how many ways a node may match from one place. */
function ways(node: PatternNode, length: number): number {
  switch (node.type) {
    case "sequence":
      return node.parts.reduce((product, part) => product * ways(part, length), 1)
    case "choice":
      return node.branches.reduce((sum, branch) => sum + ways(branch, length), 0)
    case "ahead":
      return ways(node.body, length)
    case "beyond":
      return node.body === undefined ? 1 : ways(node.body, length)
    case "repeat":
      return waysToRepeat(node, length)
    default:
      return 1
  }
}

function waysToRepeat(
  { body, min, max }: Extract<PatternNode, { readonly type: "repeat" }>,
  length: number,
): number {
  const inner = ways(body, length)
  if (max <= 1) return inner + 1 - min
  // What matches in one way alone can only be repeated more or less often; else each time chooses anew.
  return inner > 1 ? inner ** Math.min(max, Math.max(min, length)) : 1 + Math.min(length, max - min)
}
