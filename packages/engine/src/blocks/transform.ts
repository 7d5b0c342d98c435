// Runs a transform block: computes its outputs, and leaves out each output whose path doesn't resolve.

import { lookUp } from "@callsheet/language"
import {
  setOwn,
  type JsonObject,
  type JsonValue,
  type ScriptTarget,
  type TextMap,
  type TransformBlock,
} from "@callsheet/format"
import { keepResult, type BlockRunner, type Running } from "../context.ts"
import { expandText } from "../expand.ts"
import { failed, passed, type BlockOutcome } from "../failure.ts"
import { mayBeMissing, warnUnresolved } from "../warn.ts"
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
  for (const [name, text] of Object.entries(transforms)) {
    const path = expandText(text, running.reader)
    if (!path.ok) return failed(path.finding)
    const found = lookUp(running.reader.scope, path.value)
    if (found.found) setOwn(outputs, name, found.value)
    else {
      leftOut.set(name, path.value)
      if (!mayBeMissing(running, name)) warnUnresolved(running, ["transforms", name], found.reason)
    }
  }
  makeOutputs(running, outputs, leftOut)
  return passed
}

async function runScripted(running: Running<TransformBlock>, script: ScriptTarget): Promise<BlockOutcome> {
  const { outcome, result } = await callScript(running, "transform", script)
  if (outcome.status === "passed") makeOutputs(running, result as JsonObject, new Map())
  return outcome
}

function makeOutputs(running: Running, outputs: JsonObject, leftOut: ReadonlyMap<string, string>): void {
  const { frame, number } = running
  const { context } = frame
  keepResult(running, { value: outputs, ...(leftOut.size === 0 ? {} : { leftOut }) })
  context.emit({ type: "outputs.made", run: context.run, block: number, outputs })
}
