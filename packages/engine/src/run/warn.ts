// Warns about mistakes that don't fail a run. Repeats no warning at the same position in a block.

import {
  formatPath,
  getOrCreate,
  memo,
  operators,
  walkBlocks,
  type BlockError,
  type Finding,
  type JsonPointer,
  type Problem,
} from "@callsheet/format"
import { collectAbsences, languageMessages } from "@callsheet/language"
import type { RunContext, Running } from "./context.ts"
import { positionOf, type Plan } from "../plan/plan.ts"

/** The maximum number of warnings. More would repeat the same mistake, and finding positions takes time. */
const MAX_WARNINGS = 1_000

/** Emits a warning about a field of the block. */
export function warnAt({ block, frame, number }: Running, pointer: JsonPointer, finding: Finding): void {
  const { emit, run, plan, warned } = frame.context
  if (warned.size > 2 * MAX_WARNINGS || !isFirst(warned, JSON.stringify([block.id, ...pointer]))) return
  const warning = locate(plan, block.id, pointer, finding)
  if (isFirst(warned, positionOf(warning))) emit({ type: "warning.raised", run, block: number, warning })
}

/** Emits a warning about the request or the response of the block, once per code. */
export function warnOfExchange({ block, frame, number }: Running, finding: Finding): void {
  const { emit, run, plan, warned } = frame.context
  if (warned.size > 2 * MAX_WARNINGS || !isFirst(warned, JSON.stringify([block.id, finding.code]))) return
  emit({ type: "warning.raised", run, block: number, warning: locate(plan, block.id, ["request"], finding) })
}

/** Warns that a path in a field of the block doesn't resolve. */
export function warnUnresolved(running: Running, pointer: JsonPointer, reason: string): void {
  const { unresolved } = languageMessages["source-unresolved"]
  warnAt(running, pointer, { ...unresolved(formatPath(pointer), reason, undefined), severity: "warning" })
}

export function isFirst(warned: RunContext["warned"], key: string): boolean {
  if (warned.has(key)) return false
  warned.add(key)
  return true
}

const absencesOf = memo(({ workflow }: Plan) =>
  collectAbsences(workflow.blocks, (operator) => !operators[operator].takesValue),
)

/** Returns whether the workflow tests if an output of the block exists. The output may then be missing on purpose. */
export const mayBeMissing = ({ block, frame }: Running, output: string): boolean =>
  absencesOf(frame.context.plan).has(formatPath([block.id, output]))

const visitsOf = memo(
  ({ workflow }: Plan) => new Map([...walkBlocks(workflow.blocks)].map((visit) => [visit.block.id, visit])),
)

const positionsOf = memo((_plan: Plan) => new Map<string, Position>())

type Position = Required<Pick<BlockError, "file" | "line" | "column">>

/** Returns the position of a field of the block. Computed for failures only, and once per field. */
export function placeOf({ block, frame }: Running, pointer: JsonPointer): Position {
  const { plan } = frame.context
  return getOrCreate(positionsOf(plan), JSON.stringify([block.id, ...pointer]), () => {
    const { file, line, column } = locate(plan, block.id, pointer, { code: "usage", message: "" })
    return { file: file ?? "", line: line ?? 1, column: column ?? 1 }
  })
}

function locate(plan: Plan, id: string, pointer: JsonPointer, finding: Finding): Problem {
  const place = visitsOf(plan).get(id)?.pointer() ?? []
  return plan.problemAt([...place, ...pointer], "value", finding)
}
