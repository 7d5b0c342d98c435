// Starting workflows: once for each time that somebody asks, from wherever on the page, and after the server's questions.

import { create } from "zustand"
import type { CallFailure, RunForm, RunOrder } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { queryClient } from "../data/query-client.ts"
import { draftOf } from "./drafts.ts"
import { faultsOf, orderOf, type FieldFaults } from "./order-of.ts"
import { startAsking } from "./questions.ts"

export interface Start {
  readonly faults: FieldFaults
  /** What is wrong with the order as a whole. */
  readonly failure?: CallFailure
  readonly isStarting: boolean
}

const nothing: Start = { faults: {}, isStarting: false }

/** Of each workflow how its last start went. */
const useStarts = create<{ readonly starts: ReadonlyMap<string, Start> }>(() => ({ starts: new Map() }))

export const useStart = (workflow: string): Start =>
  useStarts(({ starts }) => starts.get(workflow) ?? nothing)

const tellStart = (workflow: string, start: Start): void =>
  useStarts.setState(({ starts }) => ({ starts: new Map(starts).set(workflow, start) }))

const useChosenRuns = create<{ readonly chosen: ReadonlyMap<string, ChosenRun> }>(() => ({
  chosen: new Map(),
}))

export interface ChosenRun {
  readonly run: string
  /** Started from this page, while it is open. */
  readonly isOwn: boolean
}

/** The run of a workflow that the page shows, where the person has started or chosen one. */
export const useChosenRun = (workflow: string): ChosenRun | undefined =>
  useChosenRuns(({ chosen }) => chosen.get(workflow))

export const chooseRun = (workflow: string, run: ChosenRun): void =>
  useChosenRuns.setState(({ chosen }) => ({ chosen: new Map(chosen).set(workflow, run) }))

/** Starts a workflow as its form stands, or says at the form why it cannot. Does nothing while it starts already. */
export async function startWorkflow(form: RunForm): Promise<void> {
  const { workflow } = form
  const tell = (start: Start): void => tellStart(workflow, start)
  // A second click comes before the page shows the first one.
  if (useStarts.getState().starts.get(workflow)?.isStarting === true) return
  const { order, faults } = orderOf(form, draftOf(workflow))
  if (Object.keys(faults).length > 0) return tell({ faults, isStarting: false })
  tell({ faults: {}, isStarting: true })
  try {
    const run = await sendOrder(order)
    if (run !== undefined) chooseRun(workflow, { run, isOwn: true })
    tell(nothing)
  } catch (error) {
    tell(startAfter(error, form))
  } finally {
    void queryClient.invalidateQueries({ queryKey: ["runs"] })
  }
}

const sendOrder = (order: RunOrder): Promise<string | undefined> =>
  startAsking("run", (answers) => call("runs.start", { ...order, ...answers }))

function startAfter(error: unknown, form: RunForm): Start {
  const failure =
    error instanceof Refused
      ? error.failure
      : {
          code: "internal",
          message: "callsheet app does not answer. Nothing is known of a run that was started.",
        }
  const faults = faultsOf(form, [failure])
  return Object.keys(faults).length > 0
    ? { faults, isStarting: false }
    : { faults: {}, failure, isStarting: false }
}
