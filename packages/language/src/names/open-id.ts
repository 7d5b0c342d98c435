// Ids with tokens, each of which a loop around the block gives.

import {
  blockDefaults,
  parseTemplateOnce,
  tokensOf,
  type LoopBlock,
  type LoopChain,
  type Visit,
} from "@callsheet/format"
import { HOLE, mayMeet, patternOf } from "./name-pattern.ts"

export interface OpenId {
  readonly visit: Visit
  readonly pattern: string
  /** The loops that give the tokens, in their order. */
  readonly loops: readonly LoopBlock[]
  /** The paths of the tokens: `i`, `$index`, `item.sku`. */
  readonly tokens: readonly string[]
  /** Whether all tokens are counted: 0, 1, 2. */
  readonly isCounted: boolean
}

/** The id of a block as far as loops give it; undefined where it holds no token, or one that no loop gives. */
export function openIdOf(visit: Visit): OpenId | undefined {
  const template = parseTemplateOnce(visit.block.id)
  if (!template.ok || !template.hasTokens) return undefined
  const tokens = tokensOf(template.parts).map(({ inner }) => patternOf(inner))
  const loops = tokens.flatMap((token) => giverOf(token, visit.loops) ?? [])
  if (loops.length < tokens.length) return undefined
  const isCounted = tokens.every((token, at) => token === "$index" || loops[at]?.mode !== "forEach")
  return { visit, pattern: patternOf(template.parts), loops, tokens, isCounted }
}

/** The loop whose index or iterator a token reads. */
function giverOf(token: string, loops: LoopChain | undefined): LoopBlock | undefined {
  if (token === "$index") return loops?.loop
  const name = token.split(/[.[]/, 1)[0]
  for (let chain = loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar === name) return chain.loop
  }
  return undefined
}

/** Whether a name may be what the id comes to be in one of the iterations. */
export function mayBecome({ pattern, loops, isCounted }: OpenId, name: string): boolean {
  if (!mayMeet(pattern, name)) return false
  const [head, tail, ...more] = pattern.split(HOLE)
  if (!isCounted || name.includes(HOLE) || head === undefined || tail === undefined || more.length > 0)
    return true
  const index = name.slice(head.length, name.length - tail.length)
  return /^(?:0|[1-9][0-9]{0,15})$/.test(index) && runs(loops[0], Number(index))
}

/** Whether a loop has an iteration of that index, as far as that is known. */
export function runs(loop: LoopBlock | undefined, index: number): boolean {
  if (loop?.mode === "times") return index < loop.count
  return loop?.mode !== "until" || index < (loop.maxIterations ?? blockDefaults.maxIterations)
}
