// Runs a transform block: computes its outputs. Omits an output if its path doesn't resolve.

import type { BlockResult } from "@callsheet/language"
import {
  setOwn,
  type JsonObject,
  type JsonValue,
  type ScriptTarget,
  type TextMap,
  type TransformBlock,
} from "@callsheet/format"
import { keepResult, type BlockRunner, type Running } from "../run/context.ts"
import { expandPath } from "../run/expand.ts"
import { isLarge, MAX_REPEATED, repeatsTooMuch } from "../run/expansion.ts"
import { resultAt } from "../run/explain-failure.ts"
import { failed, passed, type BlockOutcome } from "../run/failure.ts"
import { messages } from "../messages.ts"
import { Undecided, unknownSays } from "../run/undecided.ts"
import { mayBeMissing, warnUnresolved } from "../run/warn.ts"
import { callScript } from "./script.ts"

export const runTransform: BlockRunner<TransformBlock> = (running) => {
  const { block } = running
  return block.transforms === undefined
    ? runScripted(running, block.script)
    : runTransforms(running, block.transforms)
}

function runTransforms(running: Running<TransformBlock>, transforms: TextMap): BlockOutcome {
  const outputs: Record<string, JsonValue> = {}
  const leftOut = new Map<string, string>()
  const unknown = new Set<string>()
  const sources = new Set<BlockResult>()
  for (const [name, text] of Object.entries(transforms)) {
    const read = expandPath(text, running.reader)
    if (!read.ok) return failed(read.finding)
    const { path, found } = read
    if (found.isUnknown === true) unknown.add(name)
    if (found.found) {
      setOwn(outputs, name, found.value)
      if (found.from !== undefined) sources.add(found.from)
    } else {
      leftOut.set(name, path)
      if (!mayBeMissing(running, name)) warnUnresolved(running, ["transforms", name], found.reason)
    }
  }
  if (Object.values(outputs).filter(isLarge).length > 1 && repeatsTooMuch(outputs))
    return failed(messages["value-too-large"].repeats(MAX_REPEATED))
  makeOutputs(running, outputs, { leftOut, sources, isUnknown: unknown.size > 0 && unknown })
  return passed
}

async function runScripted(running: Running<TransformBlock>, script: ScriptTarget): Promise<BlockOutcome> {
  const { outcome, result, paths, readsUnknown } = await callScript(running, "transform", script)
  const { scope } = running.frame
  if (readsUnknown && scope.run.unknown !== undefined) {
    makeOutputs(running, {}, { leftOut: new Map(), sources: new Set(), isUnknown: true })
    throw new Undecided("part", unknownSays.script().message)
  }
  if (outcome.status === "passed") {
    const sources = [...paths].map((path) => resultAt(path, scope)).filter((from) => from !== undefined)
    makeOutputs(running, result as JsonObject, {
      leftOut: new Map(),
      sources: new Set(sources),
      isUnknown: readsUnknown,
    })
  }
  return outcome
}

interface Origin {
  readonly leftOut: ReadonlyMap<string, string>
  /** The results that the outputs were read from. */
  readonly sources: ReadonlySet<BlockResult>
  /** True if nothing may be decided by the outputs, or the names of those. */
  readonly isUnknown: boolean | ReadonlySet<string>
}

function makeOutputs(running: Running, outputs: JsonObject, { leftOut, sources, isUnknown }: Origin): void {
  const { block, frame, number } = running
  const { context, scope } = frame
  // Outputs that outlive an iteration must not keep its responses in memory.
  const isKept = scope.iteration === undefined || !context.plan.references.outlives(block.id)
  keepResult(running, {
    value: outputs,
    ...(leftOut.size === 0 ? {} : { leftOut }),
    ...(isUnknown === false ? {} : { isUnknown }),
    ...(sources.size > 0 && isKept
      ? { exchanges: () => [...sources].flatMap((from) => from.exchanges?.() ?? []) }
      : {}),
  })
  context.emit({ type: "outputs.made", run: context.run, block: number, outputs })
}
