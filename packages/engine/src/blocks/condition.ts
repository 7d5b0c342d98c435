// Runs a condition block: evaluates the condition, runs one branch and reports the other as skipped.

import type { Blocks, ConditionBlock, SkipReason } from "@callsheet/format"
import { checkAssertion, warnOfSource } from "../run/check.ts"
import type { BlockRunner, Running } from "../run/context.ts"
import { failed, type BlockOutcome } from "../run/failure.ts"
import { callScript } from "./script.ts"
import { skipBlocks } from "../run/skip.ts"
import { Undecided } from "../run/undecided.ts"
import { containerOutcome, innerFrame } from "./group.ts"

export const runCondition: BlockRunner<ConditionBlock> = async (running) => {
  const { block, frame } = running
  const branches: readonly Blocks[] = [block.then, block.else ?? []]
  const inner = innerFrame(running)
  const skipAll = (reason: SkipReason): void => {
    for (const branch of branches) skipBlocks(branch, inner, reason)
  }
  const check = await checkCondition(running).catch((error: unknown) => {
    if (error instanceof Undecided) skipAll("halted")
    throw error
  })
  if (typeof check !== "boolean") {
    skipAll(check.status === "cancelled" ? "cancelled" : "halted")
    return check
  }
  if (!check) skipBlocks(block.then, inner, "branch")
  const outcome = await frame.runBlocks(check ? block.then : (block.else ?? []), inner)
  if (check) skipBlocks(block.else ?? [], inner, "branch")
  return containerOutcome(outcome)
}

const course = "the condition"

/** Returns whether the condition is true, or an outcome if it can't be evaluated. */
async function checkCondition(running: Running<ConditionBlock>): Promise<boolean | BlockOutcome> {
  const { block, reader } = running
  if (block.if === undefined) {
    const { outcome, result, readsUnknown } = await callScript(running, "condition", block.script)
    if (readsUnknown) throw new Undecided("course", course)
    return outcome.status === "passed" ? result === true : outcome
  }
  const check = checkAssertion(block.if, reader, course)
  warnOfSource(running, ["if"], check)
  return check.made ? check.passed : failed(check.finding)
}
