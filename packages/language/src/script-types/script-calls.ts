// Where a workflow calls scripts, and what the names of paths stand for there.

import {
  scriptsOf,
  walkBlocks,
  type Block,
  type BlockKind,
  type LoopBlock,
  type ReadableWorkflow,
  type ScriptTarget,
  type Visit,
} from "@callsheet/format"
import { leavesResult } from "../names/block-names.ts"
import type { Doubt } from "../types/walk-type.ts"
import type { Reading, StaticScope } from "../types/static-scope.ts"

/** What the function of a script receives. */
export type ContextName = "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"

export interface ScriptCall {
  readonly context: ContextName
  readonly script: ScriptTarget
  readonly reading: Reading
  /** The loop whose iteration the script sees. */
  readonly loop: LoopBlock | undefined
}

const contexts: { readonly [K in BlockKind]?: ContextName } = {
  assert: "AssertContext",
  condition: "ConditionContext",
  loop: "ConditionContext",
  transform: "TransformContext",
  script: "ScriptContext",
}

/** The calls of a workflow, in the order of the file. */
export function scriptCalls({ workflow, broken }: ReadableWorkflow): readonly ScriptCall[] {
  const calls: ScriptCall[] = []
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    const context = contexts[block.type]
    if (context === undefined || broken.has(block)) continue
    const isPolling = block.type === "loop"
    for (const script of scriptsOf(block))
      calls.push({
        context,
        script,
        reading: { visit, isAfterNested: isPolling },
        loop: isPolling ? block : visit.loops?.loop,
      })
  }
  return calls
}

/** What a name stands for. */
export type NameMeaning =
  | { readonly is: "result"; readonly block: Block; readonly isCertain: boolean }
  | { readonly is: "iterator"; readonly loop: LoopBlock }
  | { readonly is: "input" }
  /** Nothing, and why. */
  | { readonly is: "absent"; readonly reason: string }

export interface PlacedBlock {
  readonly visit: Visit
  /** In the order of the file. */
  readonly number: number
}

/** What has to be known to tell what names mean. */
export interface NamesGround {
  readonly readable: ReadableWorkflow
  readonly scope: StaticScope
  readonly places: ReadonlyMap<Block, PlacedBlock>
  /** The blocks that leave results, by ids that hold no tokens. */
  readonly results: ReadonlyMap<string, PlacedBlock>
}

export function namesGround(readable: ReadableWorkflow, scope: StaticScope): NamesGround {
  const places = new Map<Block, PlacedBlock>()
  const results = new Map<string, PlacedBlock>()
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    const { block } = visit
    const place = { visit, number: places.size }
    places.set(block, place)
    if (leavesResult(block) && !block.id.includes("{{") && !results.has(block.id))
      results.set(block.id, place)
  }
  return { readable, scope, places, results }
}

/** Every name that means something somewhere in a workflow. */
export const allNames = (ground: NamesGround): ReadonlySet<string> =>
  new Set([
    ...Object.keys(ground.readable.workflow.inputs ?? {}),
    ...ground.results.keys(),
    ...iteratorNames(ground),
  ])

export function iteratorNames({ places }: NamesGround): ReadonlySet<string> {
  const names = new Set<string>()
  for (const block of places.keys())
    if (block.type === "loop" && block.iteratorVar !== undefined) names.add(block.iteratorVar)
  return names
}

/** What a name means where somebody reads: the nearest iterator first, as in a run. */
export function meaningAt(name: string, reading: Reading, ground: NamesGround): NameMeaning | undefined {
  const loop = loopsOf(reading).find(({ iteratorVar }) => iteratorVar === name)
  if (loop !== undefined) return { is: "iterator", loop }
  const { inputs } = ground.readable.workflow
  if (inputs !== undefined && Object.hasOwn(inputs, name)) return { is: "input" }
  const result = ground.results.get(name)
  const { doubt } = ground.scope.resolve([name], reading)
  if (doubt?.is === "unknown") return { is: "absent", reason: reasonOf(doubt) }
  if (result === undefined) return undefined
  return {
    is: "result",
    block: result.visit.block,
    isCertain: doubt === undefined && hasSurelyRun(result, reading, ground),
  }
}

/** Innermost first; the check of a polling loop reads inside of it. */
function loopsOf({ visit, isAfterNested }: Reading): readonly LoopBlock[] {
  const loops: LoopBlock[] = isAfterNested === true && visit.block.type === "loop" ? [visit.block] : []
  for (let chain = visit.loops; chain !== undefined; chain = chain.outer) loops.push(chain.loop)
  return loops
}

const reasonOf = ({ message, hint }: Doubt): string => (hint === undefined ? message : `${message}; ${hint}`)

/** False where a loop may not have come that far: it may have had no iteration, or be in its first one. */
function hasSurelyRun({ visit, number }: PlacedBlock, reading: Reading, { places }: NamesGround): boolean {
  const around = new Set<Block>(loopsOf(reading))
  const loops: LoopBlock[] = []
  for (let chain = visit.loops; chain !== undefined; chain = chain.outer) loops.push(chain.loop)
  if (loops.some((loop) => !around.has(loop) && mayBeEmpty(loop))) return false
  const isNested = reading.isAfterNested === true && loops.some((loop) => loop === reading.visit.block)
  return isNested || number < (places.get(reading.visit.block)?.number ?? Infinity)
}

const mayBeEmpty = ({ mode, count }: LoopBlock): boolean =>
  mode === "forEach" || (mode === "times" && count === 0)
