// Compares two runs of a workflow, block by block. Pure.

import type { AssertionView, BlockReport, RunReport } from "../events/types.ts"
import { compareBlocks, type BlockDifference, type NoiseRules } from "./compare-responses.ts"

export interface BlockComparison {
  /** Identifies the block in both runs: the ids of its containers, with iterations. */
  readonly key: string
  readonly id: string
  /** The number of containers around the block. */
  readonly depth: number
  /** The index of the nearest iteration, shown as `#3`. Undefined outside a loop. */
  readonly iteration: number | undefined
  /** Absent if only the other run has the block. */
  readonly before: BlockReport | undefined
  readonly after: BlockReport | undefined
  readonly changes: readonly Change[]
}

/** A difference between two runs, with both values. A side is absent if its run has no value. */
export interface Change {
  readonly what: "outcome" | "status" | "error" | "assertion"
  readonly of?: string
  readonly before: string
  readonly after: string
}

/** Returns blocks in the order of the first run. Blocks that only the second run has are inserted at their position. */
export function compareRuns(before: RunReport, after: RunReport): readonly BlockComparison[] {
  // Keys contain the number of the parent, because 10,000 nested keys would exhaust memory.
  const numbers = new Map<string, number>()
  const [first, second] = [placedBlocks(before, numbers), placedBlocks(after, numbers)]
  return merged([...first.keys()], [...second.keys()]).map((key) => {
    const [own, other] = [first.get(key), second.get(key)]
    const { block, depth, iteration } = (own ?? other) as NestedBlock
    const sides = { before: own?.block, after: other?.block }
    return { key, id: block.id, depth, iteration, ...sides, changes: changesOf(own?.block, other?.block) }
  })
}

/** The maximum number of differences per block, and of those that are noise. */
const MAX_LISTED = 100

/** Returns the differences between the responses of a block, and between its durations. */
export function responseDifferences(
  { before, after }: Pick<BlockComparison, "before" | "after">,
  rules: Pick<NoiseRules, "described" | "services"> = {},
): readonly BlockDifference[] {
  if (before === undefined || after === undefined) return []
  const listed: BlockDifference[] = []
  let noise = 0
  for (const difference of compareBlocks(before, after, rules)) {
    if (difference.what === "status" || (difference.noise && noise++ >= MAX_LISTED)) continue
    if (listed.push(difference) >= MAX_LISTED * 2) break
  }
  return listed
}

/** Returns whether anything differs that isn't noise. */
export const isDifferent = (
  { before, after, changes }: Pick<BlockComparison, "before" | "after" | "changes">,
  differences: readonly BlockDifference[] = [],
): boolean =>
  before === undefined || after === undefined || changes.length > 0 || differences.some(({ noise }) => !noise)

interface NestedBlock {
  readonly block: BlockReport
  readonly depth: number
  readonly iteration: number | undefined
}

interface Open {
  readonly blocks: readonly BlockReport[]
  readonly path: string
  readonly depth: number
  readonly iteration: number | undefined
}

// Iterative, because a report may nest deeper than the stack.
function placedBlocks({ blocks }: RunReport, numbers: Map<string, number>): ReadonlyMap<string, NestedBlock> {
  const placed = new Map<string, NestedBlock>()
  const work: Open[] = [{ blocks, path: "", depth: 0, iteration: undefined }]
  for (let open = work.pop(); open !== undefined; open = work.pop()) {
    const { path, depth, iteration } = open
    for (const [at, block] of open.blocks.entries()) {
      const key = freeKey(placed, `${path}${JSON.stringify(block.id)}`)
      placed.set(key, { block, depth, iteration })
      const inner = innerOf(block, { depth: depth + 1, iteration })
      if (inner.length === 0) continue
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      // Visit children before the next sibling.
      work.push({ ...open, blocks: open.blocks.slice(at + 1) })
      for (const list of inner.toReversed()) work.push({ ...list, path: `${number}${list.path}/` })
      break
    }
  }
  return placed
}

const innerOf = (
  { blocks = [], iterations = [] }: BlockReport,
  place: Pick<Open, "depth" | "iteration">,
): readonly Open[] => [
  ...(blocks.length === 0 ? [] : [{ ...place, blocks, path: "" }]),
  ...iterations.map(({ index, blocks: own }) => ({
    ...place,
    blocks: own,
    path: `#${index}`,
    iteration: index,
  })),
]

/** Returns an unused key, because placeholders can make ids equal. */
function freeKey(placed: ReadonlyMap<string, unknown>, wanted: string): string {
  let key = wanted
  for (let number = 2; placed.has(key); number++) key = `${wanted} (${number})`
  return key
}

function merged(first: readonly string[], second: readonly string[]): readonly string[] {
  const known = new Set(first)
  const following = new Map<string, string[]>()
  let last = ""
  for (const key of second) {
    if (known.has(key)) last = key
    else following.set(last, [...(following.get(last) ?? []), key])
  }
  return ["", ...first].flatMap((key) => [...(key === "" ? [] : [key]), ...(following.get(key) ?? [])])
}

function changesOf(before: BlockReport | undefined, after: BlockReport | undefined): readonly Change[] {
  if (before === undefined || after === undefined) return []
  const changes: Change[] = [
    { what: "outcome", before: outcomeOf(before), after: outcomeOf(after) },
    { what: "status", before: httpStatusOf(before), after: httpStatusOf(after) },
    { what: "error", before: before.error?.message ?? "", after: after.error?.message ?? "" },
    ...assertionChanges(before.assertions ?? [], after.assertions ?? []),
  ]
  return changes.filter((change) => change.before !== change.after)
}

const httpStatusOf = ({ response }: BlockReport): string =>
  response === undefined ? "" : String(response.status)

const outcomeOf = ({ status, reason }: BlockReport): string =>
  reason === undefined ? status : `${status} (${reason})`

function assertionChanges(
  before: readonly AssertionView[],
  after: readonly AssertionView[],
): readonly Change[] {
  const sides = [namedAssertions(before), namedAssertions(after)]
  const names = new Set(sides.flatMap((side) => [...side.keys()]))
  return [...names].map((name) => ({
    what: "assertion",
    of: name,
    before: sides[0]?.get(name)?.status ?? "",
    after: sides[1]?.get(name)?.status ?? "",
  }))
}

/** Returns assertions by the name that identifies them in both runs, which is `of` of a `Change`. */
export function namedAssertions(assertions: readonly AssertionView[]): ReadonlyMap<string, AssertionView> {
  const named = new Map<string, AssertionView>()
  for (const assertion of assertions)
    named.set(freeKey(named, `${assertion.source} ${assertion.operator}`), assertion)
  return named
}
