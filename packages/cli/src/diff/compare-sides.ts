// Compares all blocks of two sides. Keeps the differences, up to a limit, in the order of the runs.

import {
  compareBlocks,
  getOrCreate,
  learnNoise,
  statusOf,
  type BlockDifference,
  type JsonValue,
  type NoiseReason,
  type NoiseRules,
  type Problem,
} from "@callsheet/format"
import type { FindContract } from "@callsheet/server"
import { valueText } from "../text/value-texts.ts"
import { compactJson } from "../text/preview.ts"
import { pairBlocks, type Paired, type SideName } from "./pair-blocks.ts"
import type { RanBlock, Side } from "./read-side.ts"

type RanName = Omit<RanBlock, "report">

export interface ComparedBlock {
  readonly ran: RanName
  readonly differences: BlockDifference[]
}

export interface Comparison {
  readonly blocks: readonly ComparedBlock[]
  /** The number of blocks on both sides. */
  readonly compared: number
  /** The number of differences that aren't noise. Includes omitted ones. */
  readonly real: number
  readonly noise: ReadonlyMap<NoiseReason, number>
  /** The number of differences that `blocks` leaves out. */
  readonly omitted: number
  /** True if a response was compared, but no contract describes one. */
  readonly lacksContract: boolean
  readonly problems: readonly Problem[]
}

/** The maximum number of listed differences, in all and per block. Noise has a limit of its own. */
const MAX_LISTED = { real: 50_000, noise: 20_000, inBlock: 1_000 }
/** The maximum length of a listed value as JSON. */
const MAX_VALUE = 1_000

export async function compareSides(
  sides: ReadonlyMap<SideName, Side>,
  findContract: FindContract,
): Promise<Comparison> {
  const list = new DifferenceList()
  const absences = new Absences(sides.has("baseline"))
  const learnedOf = createLearner()
  let compared = 0
  let hasResponses = false
  let hasContract = false
  const pairs = pairBlocks(sides)
  let next = await pairs.next()
  for (; next.done !== true; next = await pairs.next()) {
    const { left, right, baseline } = next.value
    absences.look(next.value)
    if (left === undefined || right === undefined || !hasRun(left) || !hasRun(right)) continue
    if (left.block !== "") compared++
    const described = await findContract(left.operation, left.report.response)
    hasResponses ||= left.report.response !== undefined
    hasContract ||= described !== undefined
    const add = list.open(left)
    const services = [left.services, right.services] as const
    const rules = { described, learned: learnedOf(left, baseline), services }
    for (const found of differencesOf(left, right, rules)) add(found)
  }
  for (const { ran, difference } of absences.outermost()) list.open(ran)(difference)
  return { ...list.listed(), compared, lacksContract: hasResponses && !hasContract, problems: next.value }
}

/** Learns noise from the baseline. An iteration that the baseline doesn't contain gets the noise of the others. */
function createLearner() {
  const byIteration = new Map<string, Set<string>>()
  return (left: RanBlock, baseline: RanBlock | undefined): ReadonlySet<string> | undefined => {
    const { anyIteration } = left
    if (baseline === undefined) return anyIteration === undefined ? undefined : byIteration.get(anyIteration)
    const learned = learnNoise(left.report, baseline.report)
    if (anyIteration === undefined) return learned
    const all = getOrCreate(byIteration, anyIteration, () => new Set())
    for (const key of learned) all.add(key)
    return learned
  }
}

const hasRun = (ran: RanBlock | undefined): boolean => ran !== undefined && ran.report.status !== "skipped"

const shownStatus = ({ report, runStatus }: RanBlock): number | string => runStatus ?? statusOf(report)

function differencesOf(left: RanBlock, right: RanBlock, rules: NoiseRules): Iterable<BlockDifference> {
  if (left.block !== "") return compareBlocks(left.report, right.report, rules)
  // The blocks explain a failed run. An error may have no blocks, so report its status.
  const [own, other] = [shownStatus(left), shownStatus(right)]
  const isError = own === "error" || other === "error"
  return isError && own !== other ? [{ what: "status", left: own, right: other, noise: false }] : []
}

/** Collects the blocks that ran on one side only. */
class Absences {
  readonly #found: { readonly ran: RanName; readonly difference: BlockDifference }[] = []
  readonly #keys = new Set<string>()
  /** The loops whose iterations differ between two runs of the left side. */
  readonly #varying = new Set<string>()
  readonly #hasBaseline: boolean

  constructor(hasBaseline: boolean) {
    this.#hasBaseline = hasBaseline
  }

  look({ left, right, baseline }: Paired): void {
    const loop = (left ?? baseline)?.loop
    if (this.#hasBaseline && loop !== undefined && hasRun(left) !== hasRun(baseline)) this.#varying.add(loop)
    if (hasRun(left) === hasRun(right)) return
    const isMissing = hasRun(left)
    const ran = (isMissing ? left : right)!
    this.#keys.add(ran.key)
    const valueOf = (side: RanBlock | undefined) => (side === undefined ? null : shownStatus(side))
    const sides = { left: valueOf(left), right: valueOf(right) }
    const absent = isMissing ? "right" : "left"
    const what = isMissing ? "missing" : "added"
    const { report: _, ...name } = ran
    this.#found.push({ ran: name, difference: { what, ...sides, absent, noise: false } })
  }

  /** Yields the absent blocks that aren't in another absent block. */
  *outermost() {
    for (const { ran, difference } of this.#found) {
      if (ran.parent !== undefined && this.#keys.has(ran.parent)) continue
      const isNoise = ran.loop !== undefined && this.#varying.has(ran.loop)
      yield {
        ran,
        difference: isNoise ? { ...difference, noise: true, reason: "baseline" as const } : difference,
      }
    }
  }
}

class DifferenceList {
  readonly #blocks: ComparedBlock[] = []
  readonly #noise = new Map<NoiseReason, number>()
  #left = { real: MAX_LISTED.real, noise: MAX_LISTED.noise }
  #real = 0
  #omitted = 0

  /** Returns a function that adds differences of a block. */
  open({
    report: _,
    ...ran
  }: RanName & { readonly report?: unknown }): (difference: BlockDifference) => void {
    const differences: BlockDifference[] = []
    const left = { real: MAX_LISTED.inBlock, noise: MAX_LISTED.inBlock }
    return (difference) => {
      const { reason } = difference
      if (reason === undefined) this.#real++
      else this.#noise.set(reason, (this.#noise.get(reason) ?? 0) + 1)
      const kind = reason === undefined ? "real" : "noise"
      if (left[kind] === 0 || this.#left[kind] === 0) return void this.#omitted++
      left[kind]--
      this.#left[kind]--
      if (differences.length === 0) this.#blocks.push({ ran, differences })
      differences.push({ ...difference, left: short(difference.left), right: short(difference.right) })
    }
  }

  listed() {
    const blocks = this.#blocks.toSorted((one, other) => one.ran.order - other.ran.order)
    return { blocks, real: this.#real, noise: this.#noise, omitted: this.#omitted }
  }
}

/** Returns a long value as the start of a text. */
function short(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.length <= MAX_VALUE ? value : `${value.slice(0, MAX_VALUE)}…`
  return compactJson(value, MAX_VALUE, true) === undefined ? valueText(value, MAX_VALUE) : value
}
