// Finds the block that a name refers to, by its id. An id with placeholders matches its possible values.

import {
  blockDefaults,
  iterates,
  parseTemplateOnce,
  tokensOf,
  type Block,
  type LoopBlock,
  type TemplatePart,
  type Visit,
} from "@callsheet/format"
import { firstNameAsWritten, HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"
import { leavesResult, loopGiving } from "./rules.ts"

/** The maximum number of slow searches for a name among all ids. */
const MAX_SEARCHES = 1_000

export class BlockNames {
  readonly #blocks = new Map<string, Visit>()
  /** The blocks with placeholders in their ids, by id without whitespace in placeholders. */
  readonly #openIds = new Map<string, Visit>()
  readonly #patterns: OpenId[] = []
  readonly #searched = new Map<string, Visit | "several" | undefined>()

  add(visit: Visit): void {
    const { block } = visit
    const template = parseTemplateOnce(block.id)
    if (!template.ok || !template.hasTokens) {
      if (!this.#blocks.has(block.id)) this.#blocks.set(block.id, visit)
      return
    }
    const id = openIdOf(visit)
    if (id !== undefined) this.#patterns.push(id)
    this.#openIds.set(firstNameAsWritten(template.parts), visit)
  }

  /** Finds the block with a name. `parts` is the path as written, which starts with the name. */
  find(name: string, parts: readonly TemplatePart[]): Visit | "several" | undefined {
    const plain = this.#blocks.get(name)
    if (plain !== undefined || (this.#openIds.size === 0 && !name.includes(HOLE))) return plain
    const open = this.#openIds.get(firstNameAsWritten(parts))
    if (open !== undefined) return open
    if (!this.#searched.has(name)) this.#searched.set(name, this.#search(name))
    return this.#searched.get(name)
  }

  #search(name: string): Visit | "several" | undefined {
    // After this many searches, treat names as ambiguous, because thousands of searches would take minutes.
    if (this.#searched.size >= MAX_SEARCHES) return "several"
    const meeting = this.#patterns.filter((id) => mayBecome(id, name)).map(({ visit }) => visit)
    const plain = name.includes(HOLE)
      ? [...this.#blocks.values()].filter(({ block }) => leavesResult(block) && mayMeet(name, block.id))
      : []
    const [first, ...others] = [...meeting, ...plain]
    return others.length > 0 ? "several" : first
  }
}

/** An id whose placeholders all get their values from loops around the block. */
export interface OpenId {
  readonly visit: Visit
  readonly pattern: string
  readonly loops: readonly LoopBlock[]
  /** The paths in the placeholders: `i`, `$index`, `item.sku`. */
  readonly tokens: readonly string[]
  /** True if every placeholder is a counter: 0, 1, 2. */
  readonly isCounted: boolean
}

/** Returns the id of a block with placeholders whose values all come from loops. Undefined for other ids. */
export function openIdOf(visit: Visit): OpenId | undefined {
  const template = parseTemplateOnce(visit.block.id)
  if (!template.ok || !template.hasTokens) return undefined
  const tokens = tokensOf(template.parts).map(({ inner }) => patternOf(inner))
  const loops = tokens.flatMap((token) => loopGiving(visit.loops, token)?.loop ?? [])
  if (loops.length < tokens.length) return undefined
  const isCounted = tokens.every((token, at) => token === "$index" || loops[at]?.mode !== "forEach")
  return { visit, pattern: patternOf(template.parts), loops, tokens, isCounted }
}

function mayBecome({ pattern, loops, isCounted }: OpenId, name: string): boolean {
  if (!mayMeet(pattern, name)) return false
  const [head, tail, ...more] = pattern.split(HOLE)
  if (!isCounted || name.includes(HOLE) || head === undefined || tail === undefined || more.length > 0)
    return true
  const index = name.slice(head.length, name.length - tail.length)
  return /^(?:0|[1-9][0-9]{0,15})$/.test(index) && runs(loops[0], Number(index))
}

/** Returns false for a loop that may have no iterations, such as one over a list. */
export const surelyRuns = (block: Block): boolean =>
  !iterates(block) || block.mode === "until" || (block.mode === "times" && block.count > 0)

/** Returns whether a loop may have an iteration with this index. */
export function runs(loop: LoopBlock | undefined, index: number): boolean {
  if (loop?.mode === "times") return index < loop.count
  return loop?.mode !== "until" || index < (loop.maxIterations ?? blockDefaults.maxIterations)
}
