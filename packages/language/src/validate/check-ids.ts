// Finds ids with tokens that will expand to the same string as another block's id.

import { type Blocks, getOrCreate, iterates, type Severity, type Visit, walkBlocks } from "@callsheet/format"
import { HOLE } from "../names/name-pattern.ts"
import type { Report } from "../names/scripts.ts"
import { type OpenId, openIdOf, runs, surelyRuns } from "../scope/block-names.ts"
import { messages } from "../messages.ts"

/** Reports ids that will expand to the same string. The name would refer to neither block. */
export function checkCollisions(blocks: Blocks, report: Report): void {
  const plain = new Map<string, Visit>()
  const open = new Map<string, OpenId[]>()
  for (const visit of walkBlocks(blocks)) {
    checkIterator(visit, report)
    const id = openIdOf(visit)
    if (id === undefined) {
      plain.set(visit.block.id, visit)
      continue
    }
    checkRepetition(id, report)
    getOrCreate(open, id.pattern, () => []).push(id)
  }
  for (const group of open.values()) checkGroup(group, report)
  for (const visit of plain.values()) checkPlain(visit, open, report)
}

const duplicate = messages["id-duplicate"]

function checkIterator({ block, loops, pointer }: Visit, report: Report): void {
  if (!iterates(block) || block.iteratorVar === undefined) return
  for (let chain = loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar !== block.iteratorVar) continue
    report([...pointer(), "iteratorVar"], "value", duplicate.iterator(block.iteratorVar, chain.loop.id))
    return
  }
}

/** Reports an id that counts only an inner loop, because it repeats in each iteration of the outer loop. */
function checkRepetition({ visit, loops, isCounted }: OpenId, report: Report): void {
  const inner = visit.loops
  if (!isCounted || inner === undefined || !loops.includes(inner.loop)) return
  for (let chain = inner.outer; chain !== undefined; chain = chain.outer) {
    if (loops.includes(chain.loop) || !runs(chain.loop, 1)) continue
    const { id: loop, iteratorVar } = chain.loop
    report([...visit.pointer(), "id"], "value", duplicate.repeated(visit.block.id, loop, iteratorVar))
    return
  }
}

function checkGroup(group: readonly OpenId[], report: Report): void {
  const [first, ...others] = group
  if (first === undefined) return
  for (const other of others) {
    const severity = severityOf(first, other)
    // Skips ids that are equal as written, which have their own error.
    if (severity === undefined || first.visit.block.id === other.visit.block.id) continue
    report([...other.visit.pointer(), "id"], "value", {
      ...duplicate.same(other.visit.block.id, first.visit.block.id),
      severity,
    })
  }
}

function severityOf(a: OpenId, b: OpenId): Severity | undefined {
  if (a.isCounted && b.isCounted) return a.loops.concat(b.loops).every(surelyRuns) ? "error" : "warning"
  const isSameList = a.loops.every(
    (loop, at) => loop.source !== undefined && loop.source === b.loops[at]?.source,
  )
  const isSameItem = a.tokens.every((token, at) => behindFirst(token) === behindFirst(b.tokens[at] ?? ""))
  return isSameList && isSameItem ? "warning" : undefined
}

const behindFirst = (token: string): string => token.slice(token.search(/[.[]|$/))

/** Reports a plain id that a counted id will expand to: `page-2` next to `page-{{i}}`. */
function checkPlain(visit: Visit, open: ReadonlyMap<string, readonly OpenId[]>, report: Report): void {
  const { id } = visit.block
  for (const match of id.matchAll(/(?<![0-9])(?:0|[1-9][0-9]{0,9})(?![0-9])/g)) {
    const pattern = id.slice(0, match.index) + HOLE + id.slice(match.index + match[0].length)
    for (const other of open.get(pattern) ?? []) {
      const [loop] = other.loops
      if (!other.isCounted || !runs(loop, Number(match[0]))) continue
      report([...visit.pointer(), "id"], "value", {
        ...duplicate.iteration(id, other.visit.block.id, match[0]),
        severity: loop?.mode === "times" ? "error" : "warning",
      })
    }
  }
}
