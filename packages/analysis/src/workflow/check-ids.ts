// Ids with tokens that will come to be the same text as another block's.

import {
  parseTemplateOnce,
  tokensOf,
  walkBlocks,
  type Blocks,
  type LoopBlock,
  type LoopChain,
  type Severity,
  type Visit,
} from "@callsheet/format"
import type { Report } from "../report.ts"
import { HOLE, patternOf } from "./name-pattern.ts"

/** An id with tokens, each of which a loop gives. */
interface OpenId {
  readonly visit: Visit
  readonly pattern: string
  /** The loops that give the tokens, in their order. */
  readonly loops: readonly LoopBlock[]
  /** What the tokens walk to in the items; all empty where they are counted: 0, 1, 2. */
  readonly tokens: readonly string[]
  readonly isCounted: boolean
}

/** Reports ids that will be the same: then the name means neither block. */
export function checkCollisions(blocks: Blocks, report: Report): void {
  const plain = new Map<string, Visit>()
  const open = new Map<string, OpenId[]>()
  for (const visit of walkBlocks(blocks)) {
    const id = openIdOf(visit)
    if (id === undefined) plain.set(visit.block.id, visit)
    else open.set(id.pattern, [...(open.get(id.pattern) ?? []), id])
  }
  for (const group of open.values()) checkGroup(group, report)
  for (const [id, visit] of plain) checkPlain(id, { visit, open, report })
}

function openIdOf(visit: Visit): OpenId | undefined {
  const template = parseTemplateOnce(visit.block.id)
  if (!template.ok || !template.hasTokens) return undefined
  const tokens = tokensOf(template.parts).map(({ inner }) => patternOf(inner))
  const loops = tokens.map((token) => giverOf(token, visit.loops))
  if (loops.some((loop) => loop === undefined)) return undefined
  const known = loops.flatMap((loop) => loop ?? [])
  const isCounted = tokens.every((token, at) => token === "$index" || known[at]?.mode !== "forEach")
  return { visit, pattern: patternOf(template.parts), loops: known, tokens, isCounted }
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

function checkGroup(group: readonly OpenId[], report: Report): void {
  const [first, ...others] = group
  for (const other of others) {
    const severity = first === undefined ? undefined : severityOf(first, other)
    // Ids that are the same as written are refused as such.
    if (first === undefined || severity === undefined || first.visit.block.id === other.visit.block.id)
      continue
    report([...other.visit.pointer(), "id"], "value", {
      code: "id-duplicate",
      severity,
      message: `the id ${JSON.stringify(other.visit.block.id)} comes to be the same as ${JSON.stringify(first.visit.block.id)}`,
      hint: "give the two different texts before or behind the token",
    })
  }
}

function severityOf(a: OpenId, b: OpenId): Severity | undefined {
  if (a.isCounted && b.isCounted) return a.loops.concat(b.loops).every(runsOnce) ? "error" : "warning"
  const isSameList = a.loops.every(
    (loop, at) => loop.source !== undefined && loop.source === b.loops[at]?.source,
  )
  const isSameItem = a.tokens.every((token, at) => behindFirst(token) === behindFirst(b.tokens[at] ?? ""))
  return isSameList && isSameItem ? "warning" : undefined
}

/** What of a list nobody knows before the run: it may be empty. */
const runsOnce = ({ mode, count }: LoopBlock): boolean =>
  mode === "until" || (mode === "times" && (count ?? 0) > 0)

const behindFirst = (token: string): string => token.slice(token.search(/[.[]|$/))

interface PlainCheck {
  readonly visit: Visit
  readonly open: ReadonlyMap<string, readonly OpenId[]>
  readonly report: Report
}

/** A plain id that ends up among the counted ones: `page-2` beside `page-{{i}}`. */
function checkPlain(id: string, { visit, open, report }: PlainCheck): void {
  for (const match of id.matchAll(/(?<![0-9])(?:0|[1-9][0-9]{0,9})(?![0-9])/g)) {
    const pattern = id.slice(0, match.index) + HOLE + id.slice(match.index + match[0].length)
    for (const other of open.get(pattern) ?? []) {
      const severity = other.isCounted ? severityOfIndex(other.loops[0], Number(match[0])) : undefined
      if (severity === undefined) continue
      report([...visit.pointer(), "id"], "value", {
        code: "id-duplicate",
        severity,
        message: `the id ${JSON.stringify(id)} is also that of ${JSON.stringify(other.visit.block.id)} in iteration ${match[0]}`,
      })
    }
  }
}

function severityOfIndex(loop: LoopBlock | undefined, index: number): Severity | undefined {
  if (loop?.mode === "times") return index < (loop.count ?? 0) ? "error" : undefined
  return loop?.mode === "until" && index >= (loop.maxIterations ?? 100) ? undefined : "warning"
}
