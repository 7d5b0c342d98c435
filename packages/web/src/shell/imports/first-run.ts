// Runs an import once, to see how its requests are answered: its workflows and its suites one after another.

import { create } from "zustand"
import { answersIn, lastAttempts, unansweredIn, type Answers, type RunReport } from "@callsheet/format"
import type { ImportPreview } from "@callsheet/server/calls"
import { runEnd } from "../../connection/run-store.ts"
import { askForEnvironment } from "../../environments/environment-commands.ts"
import { failureText, type RunFailure } from "../../runs/report/failures.ts"
import { environmentField } from "../../runs/state/drafts.ts"
import { runToTheEnd, startOf, stopRun } from "../../runs/state/starts.ts"

interface FirstRun {
  readonly isGoing: boolean
  /** The id of the current run. */
  readonly run?: string | undefined
  readonly answers?: Answers | undefined
  readonly results: readonly SubjectResult[]
  /** True if the user has to choose an environment before the run can start. */
  readonly needsEnvironment?: boolean
}

/** What one workflow or suite leaves to look at. */
export interface SubjectResult {
  readonly subject: string
  readonly failures: readonly RunFailure[]
}

const nothing: FirstRun = { isGoing: false, results: [] }

/** Outlives the checklist, which the page renders again if the window becomes narrow. */
export const useFirstRun = create<FirstRun>(() => nothing)

/** Counts the runs, so that one of an earlier import shows nothing. */
let latest = 0

/** Called before the checklist of another import is shown. */
export function forgetFirstRun(): void {
  latest++
  useFirstRun.setState(nothing, true)
}

/** Runs one subject after the other. Stops at one that doesn't start, for example if the user refuses. */
export async function runFirst({ subjects, validatesContracts }: ImportPreview["firstRun"]): Promise<void> {
  const own = ++latest
  useFirstRun.setState({ ...nothing, isGoing: true }, true)
  const reports: RunReport[] = []
  const results: SubjectResult[] = []
  let needsEnvironment = false
  for (const subject of subjects) {
    const { runs, reason, lacksEnvironment = false } = await runSubject(subject, validatesContracts)
    reports.push(...runs)
    needsEnvironment = lacksEnvironment
    const failures = [...(reason === undefined ? [] : [{ message: reason }]), ...runs.flatMap(failuresOf)]
    if (failures.length > 0) results.push({ subject, failures })
    const goesOn = own === latest && useFirstRun.getState().isGoing
    if (reason !== undefined || needsEnvironment || !goesOn) break
  }
  if (own !== latest) return
  if (needsEnvironment) askForEnvironment()
  const answers = needsEnvironment ? undefined : answersIn(reports)
  useFirstRun.setState({ isGoing: false, needsEnvironment, answers, results }, true)
}

/** Stops the current run, and starts no other one. */
export function stopFirstRun(): void {
  const { run } = useFirstRun.getState()
  useFirstRun.setState({ isGoing: false })
  if (run !== undefined) void stopRun(run)
}

interface SubjectEnd {
  readonly runs: readonly RunReport[]
  /** Why there is no result. */
  readonly reason?: string
  readonly lacksEnvironment?: boolean
}

async function runSubject(subject: string, validatesContracts: boolean): Promise<SubjectEnd> {
  const run = await runToTheEnd(subject, { validatesContracts })
  if (run === undefined) return notStarted(subject)
  useFirstRun.setState({ run })
  const view = await runEnd(run).catch(() => undefined)
  return view === undefined
    ? { runs: [], reason: "The result is unknown, because the app stopped responding." }
    : { runs: lastAttempts(view.report.runs) }
}

function notStarted(subject: string): SubjectEnd {
  const { failure, faults } = startOf(subject)
  const [first] = Object.entries(faults)
  if (first?.[0].startsWith(environmentField("")) === true) return { runs: [], lacksEnvironment: true }
  return { runs: [], reason: failure?.message ?? first?.join(": ") ?? "You canceled this run." }
}

function failuresOf(run: RunReport): readonly RunFailure[] {
  const { entry, workflow, error } = run
  const ofBlocks = unansweredIn(run).map((block): RunFailure => {
    const { id, status, response } = block
    const isAnswered = status !== "failed" && response !== undefined
    const message = isAnswered
      ? `answered ${response.status}`
      : status === "skipped"
        ? "not sent"
        : failureText(block)
    return { entry, block: { workflow, id }, message }
  })
  return [...(error === undefined ? [] : [{ entry, message: error.message }]), ...ofBlocks]
}
