// Runs several workflows and suites one after another, counts what they do, and collects their failures.

import { create } from "zustand"
import { lastAttempts, type BlockReport, type Report, type RunReport, type RunEvent } from "@callsheet/format"
import { suiteOf, type ProjectView } from "@callsheet/server/calls"
import type { Route } from "../../routes/route.ts"
import { goTo } from "../../routes/use-route.ts"
import { failedBlocks, failuresIn, type RunFailure } from "../report/failures.ts"
import { partsIn } from "../report/report-rows.ts"
import { onRunEvents, runEnd } from "../../connection/run-store.ts"
import { runWorkflow, startOf, stopRun } from "../state/starts.ts"

export interface BatchRun {
  /** The name of the workflow, or the `suiteSubject` of a suite. */
  readonly subject: string
  readonly status: "waiting" | "running" | "passed" | "failed"
  readonly totals: Totals
  readonly failures: readonly RunFailure[]
}

interface Batch {
  readonly runs: readonly BatchRun[]
  readonly isGoing: boolean
  /** The id of the current run. */
  readonly run?: string | undefined
}

export const useBatch = create<Batch>(() => ({ runs: [], isGoing: false }))

/** Shows the overview, and starts each workflow or suite after the end of the one before. */
export async function runBatch(subjects: readonly string[]): Promise<void> {
  goTo({ kind: "overview" })
  if (useBatch.getState().isGoing) return
  const runs = subjects.map((subject): BatchRun => ({
    subject,
    status: "waiting",
    totals: noTotals(),
    failures: [],
  }))
  useBatch.setState({ runs, isGoing: true })
  for (const subject of subjects) {
    if (!useBatch.getState().isGoing) break
    update(subject, { status: "running" })
    update(
      subject,
      await resultOf(subject).catch(() =>
        failedWith("The result of this run is unknown, because the app stopped responding."),
      ),
    )
  }
  useBatch.setState({ isGoing: false, run: undefined })
}

/** Stops the current run, and starts no other one. */
export function stopBatch(): void {
  const { run } = useBatch.getState()
  useBatch.setState({ isGoing: false })
  if (run !== undefined) void stopRun(run)
}

export const runnableWorkflows = ({ workflows }: ProjectView): readonly string[] =>
  workflows.filter(({ blocks }) => blocks !== undefined).map(({ name }) => name)

/** Returns what "Run all" runs: every workflow except the helpers of `callsheet.json`. */
export const workflowsOfAll = (project: ProjectView): readonly string[] =>
  runnableWorkflows(project).filter((name) => project.helpers?.includes(name) !== true)

export const routeOfSubject = (subject: string): Route => {
  const suite = suiteOf(subject)
  return suite === undefined ? { kind: "workflow", workflow: subject } : { kind: "suite", suite }
}

const update = (subject: string, change: Partial<BatchRun>): void =>
  useBatch.setState(({ runs }) => ({
    runs: runs.map((run) => (run.subject === subject ? { ...run, ...change } : run)),
  }))

type Result = Pick<BatchRun, "status" | "failures"> & Partial<BatchRun>

const failedWith = (message: string): Result => ({ status: "failed", failures: [{ message }] })

async function resultOf(subject: string): Promise<Result> {
  const follow = followTotals(subject)
  try {
    const run = await runWorkflow(subject)
    const { failure, faults } = startOf(subject)
    const [fault] = Object.entries(faults).map(([field, message]) => `${field}: ${message}`)
    if (run === undefined) return failedWith(failure?.message ?? fault ?? "You canceled this run.")
    useBatch.setState({ run })
    return resultIn((await runEnd(run)).report)
  } finally {
    follow()
  }
}

/** Counts the events of the run of this workflow or suite, also of those that arrive before the answer to its start. */
function followTotals(subject: string): () => void {
  const counts = new Map<string, ReturnType<typeof createLiveTotals>>()
  return onRunEvents(({ run, events }) => {
    const live = counts.get(run) ?? createLiveTotals()
    counts.set(run, live)
    events.forEach(live.hear)
    if (run === useBatch.getState().run) update(subject, { totals: { ...live.totals } })
  })
}

function resultIn({ runs, status }: Report): Result {
  const last = lastAttempts(runs)
  const failures = status === "passed" ? [] : last.flatMap(failuresIn)
  return { status: status === "passed" ? "passed" : "failed", totals: totalsOf(last), failures }
}

const kinds = ["blocks", "requests", "assertions"] as const

/** The blocks, requests and assertions of runs: live from their events, and at the end from their reports. */
type Totals = {
  readonly [K in (typeof kinds)[number]]: { passed: number; failed: number }
}

const noTotals = (): Totals => ({
  blocks: { passed: 0, failed: 0 },
  requests: { passed: 0, failed: 0 },
  assertions: { passed: 0, failed: 0 },
})

export function sumOf(all: readonly Totals[]): Totals {
  const sum = noTotals()
  for (const totals of all)
    for (const kind of kinds)
      for (const status of ["passed", "failed"] as const) sum[kind][status] += totals[kind][status]
  return sum
}

type Counted = Pick<BlockReport, "status" | "assertions"> & { readonly isRequest: boolean }

function add(totals: Totals, { status, isRequest, assertions = [] }: Counted): void {
  if (status !== "skipped") {
    totals.blocks[status]++
    if (isRequest) totals.requests[status]++
  }
  for (const { status: one } of assertions) if (one !== "undecidable") totals.assertions[one]++
}

/** Counts events as they arrive. Events that the page missed don't count. */
function createLiveTotals() {
  const totals = noTotals()
  const sent = new Set<string>()
  const parents = new Map<string, string>()
  /** Containers with a failed block inside, which don't count as failed themselves. */
  const failedInside = new Set<string>()
  const finish = (key: string, status: BlockReport["status"]): void => {
    const parent = parents.get(key)
    parents.delete(key)
    if (status === "failed" && parent !== undefined) failedInside.add(parent)
    if (!failedInside.delete(key)) add(totals, { status, isRequest: sent.delete(key) })
  }
  const hear = (event: RunEvent): void => {
    if (event.type === "request.sent") sent.add(`${event.run} ${event.block}`)
    else if (event.type === "block.started" && event.parent !== undefined)
      parents.set(`${event.run} ${event.block}`, `${event.run} ${event.parent}`)
    else if (event.type === "assertions.checked")
      add(totals, { status: "skipped", isRequest: false, assertions: event.assertions })
    else if (event.type === "block.finished") finish(`${event.run} ${event.block}`, event.status)
  }
  return { totals, hear }
}

function totalsOf(runs: readonly RunReport[]): Totals {
  const totals = noTotals()
  for (const run of runs) {
    const failed = new Set(failedBlocks(run))
    for (const { block } of partsIn(run.blocks))
      if (block !== undefined && (block.status !== "failed" || failed.has(block)))
        add(totals, { ...block, isRequest: block.request !== undefined })
  }
  return totals
}
