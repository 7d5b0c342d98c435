// Runs several workflows one after another, and collects their failures.

import { create } from "zustand"
import type { BlockReport, RunReport } from "@callsheet/format"
import { call } from "../connection/call.ts"
import { chooseEnvironment } from "./run-bar.tsx"
import { runEnd } from "./run-store.ts"
import { chosenRunOf, runWorkflow, startOf, stopRun } from "./starts.ts"

export interface BatchRun {
  readonly workflow: string
  readonly status: "waiting" | "running" | "passed" | "failed"
  readonly failures: readonly BatchFailure[]
}

export interface BatchFailure {
  /** Absent if the workflow didn't start. */
  readonly block?: string | undefined
  readonly message: string
}

interface Batch {
  readonly runs: readonly BatchRun[]
  readonly isGoing: boolean
}

const nothing: Batch = { runs: [], isGoing: false }

export const useBatch = create<Batch>(() => nothing)

/** Starts each workflow after the end of the one before. Uses the environment for every API that has it. */
export async function runBatch(workflows: readonly string[], environment: string): Promise<void> {
  if (useBatch.getState().isGoing) return
  const runs = workflows.map((workflow): BatchRun => ({ workflow, status: "waiting", failures: [] }))
  useBatch.setState({ runs, isGoing: true })
  for (const workflow of workflows) {
    if (!useBatch.getState().isGoing) break
    update({ workflow, status: "running", failures: [] })
    const failures = await failuresOf(workflow, environment).catch((): readonly BatchFailure[] => [
      { message: "The result of this run is unknown, because the app stopped responding." },
    ])
    update({ workflow, status: failures.length === 0 ? "passed" : "failed", failures })
  }
  useBatch.setState({ isGoing: false })
}

/** Stops the current run, and starts no other one. */
export function stopBatch(): void {
  const { runs } = useBatch.getState()
  useBatch.setState({ isGoing: false })
  const current = runs.find(({ status }) => status === "running")
  const run = current === undefined ? undefined : chosenRunOf(current.workflow)
  if (run !== undefined) void stopRun(run)
}

const update = (run: BatchRun): void =>
  useBatch.setState(({ runs }) => ({ runs: runs.map((one) => (one.workflow === run.workflow ? run : one)) }))

async function failuresOf(workflow: string, environment: string): Promise<readonly BatchFailure[]> {
  if (environment !== "") chooseEnvironment(await call("runs.prepare", { workflow }), environment)
  const before = chosenRunOf(workflow)
  await runWorkflow(workflow)
  const run = chosenRunOf(workflow)
  const { failure, faults } = startOf(workflow)
  const [fault] = Object.entries(faults).map(([field, message]) => `${field}: ${message}`)
  if (run === undefined || run === before)
    return [{ message: failure?.message ?? fault ?? "You canceled this run." }]
  const { report } = await runEnd(run)
  return report.runs.flatMap(failuresIn)
}

const MAX_FAILURES = 20

/** Returns the failed blocks without failed blocks inside. */
export function failuresIn({ status, error, blocks }: RunReport): readonly BatchFailure[] {
  if (status === "passed" || status === "skipped") return []
  const found: BatchFailure[] = error === undefined ? [] : [{ message: error.message }]
  const work: BlockReport[] = blocks.toReversed()
  for (let block = work.pop(); block !== undefined && found.length < MAX_FAILURES; block = work.pop()) {
    if (block.status !== "failed") continue
    const inner = block.iterations?.flatMap((iteration) => iteration.blocks) ?? block.blocks ?? []
    const failed = inner.filter((one) => one.status === "failed")
    if (failed.length > 0) work.push(...failed.toReversed())
    else found.push({ block: block.id, message: messageOf(block) })
  }
  return found.length > 0 ? found : [{ message: "The run failed." }]
}

function messageOf({ error, assertions = [] }: BlockReport): string {
  const failed = assertions.find(({ status }) => status === "failed")
  return (
    error?.message ??
    failed?.message ??
    (failed === undefined ? "failed" : `${failed.source} ${failed.operator}`)
  )
}
