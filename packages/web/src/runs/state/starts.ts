// Starts workflows from anywhere on the page, after the server's questions are answered.

import { suiteOf, type RunForm, type RunOrder, type RunPart, type FileName } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { faultOf, type Fault } from "../../connection/fault-of.ts"
import { latestRunsQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { environmentChoicesNow } from "../../environments/environment-choices.ts"
import { dirtyFilesNow } from "../../files/open-files.ts"
import { draftOf, faultsOf, orderOf, type FieldFaults, createKeyedStore } from "./drafts.ts"
import { startAsking } from "./questions.ts"
import { inboxOrderOf, useInboxChoice } from "./inbox-choice.ts"
import { useSnapshotChoice } from "./snapshot-choice.ts"
import { saveBeforeRun } from "./save-before-run.ts"

interface Start {
  readonly faults: FieldFaults
  readonly failure?: Fault | undefined
  readonly isStarting: boolean
}

const nothing: Start = { faults: {}, isStarting: false }

export const { use: useStart, now: startOf, set: setStart } = createKeyedStore(nothing)

interface ChosenRun {
  readonly run: string
  /** True if this page has started the run. */
  readonly isOwn: boolean
  readonly part?: RunPart | undefined
}

/** The run that the user has started or selected for a workflow. */
export const { use: useChosenRun, set: chooseRun } = createKeyedStore<ChosenRun | undefined>(undefined)

interface ComparedRuns {
  /** Names of runs. They sort by time. */
  readonly before: string
  readonly after: string
  /** The id in the report of the block to select. */
  readonly block?: string | undefined
}

/** The two runs that the user compares. */
export const { use: useCompared, set: compareRuns } = createKeyedStore<ComparedRuns | undefined>(undefined)

/**
 * Starts a workflow with the values in its form, or shows their errors. Does nothing while another start is pending.
 * Returns the run if it started.
 */
export const runWorkflow = (workflow: string): Promise<string | undefined> => start(workflow)

/** Runs up to a block, including it. Ids are those in the file. */
export const runTo = (workflow: string, block: string): Promise<unknown> => start(workflow, { until: block })

/** Runs a block and its nested blocks with the results of the last run. */
export const runOnly = (workflow: string, block: string): Promise<unknown> => start(workflow, { only: block })

/** Runs a workflow or a suite to see how its requests are answered: goes on after a failure. */
export const runToTheEnd = (
  subject: string,
  { validatesContracts }: Pick<RunOrder, "validatesContracts">,
): Promise<string | undefined> => start(subject, undefined, { onFailure: "continue", validatesContracts })

async function start(
  workflow: string,
  part?: RunPart,
  how?: Pick<RunOrder, "onFailure" | "validatesContracts">,
): Promise<string | undefined> {
  const update = (start: Start): undefined => {
    setStart(workflow, start)
  }
  // A second click may arrive before the first one is rendered.
  if (startOf(workflow).isStarting) return undefined
  update({ faults: {}, isStarting: true })
  let form: RunForm | undefined
  try {
    if (await isRunning(workflow)) return update({ ...nothing, failure: alreadyRunning })
    form = knownForm(workflow)
    const unsaved = unsavedFilesOf(workflow)
    const answer = unsaved.length === 0 ? "as-saved-before" : await saveBeforeRun(unsaved)
    if (answer === undefined) return update(nothing)
    if (form === undefined || answer === "saved") form = await call("runs.prepare", { workflow })
    const inbox = inboxOrderOf(form, useInboxChoice.getState())
    const own = orderOf(form, draftOf(workflow), environmentChoicesNow())
    const order = { ...own.order, ...inbox.order }
    const faults = { ...own.faults, ...inbox.faults }
    if (Object.keys(faults).length > 0) return update({ faults, isStarting: false })
    const known = form
    const run = await startAsking("run", (answers) =>
      call("runs.start", { ...order, ...snapshotsOf(known), ...part, ...how, ...answers }),
    )
    if (run !== undefined) chooseRun(workflow, { run, isOwn: true, part })
    update(nothing)
    return run
  } catch (error) {
    return update(startAfter(error, form))
  } finally {
    void queryClient.invalidateQueries({ queryKey: ["runs"] })
  }
}

const snapshotsOf = (form: RunForm): Pick<RunOrder, "comparesSnapshots"> =>
  form.hasSnapshots === true && useSnapshotChoice.getState().isOn ? { comparesSnapshots: true } : {}

const alreadyRunning: Fault = {
  code: "run-limit",
  message: "It is already running.",
  hint: "Stop it or wait until it ends.",
}

/** Asks the server, because the page's state may be outdated. */
async function isRunning(workflow: string): Promise<boolean> {
  const isOfIt = (run: { readonly workflow: string }): boolean => run.workflow === workflow
  if (queryClient.getQueryData(latestRunsQuery.queryKey)?.going.some(isOfIt) !== true) return false
  return (await call("runs.latest", {})).going.some(isOfIt)
}

const knownForm = (workflow: string): RunForm | undefined =>
  queryClient
    .getQueriesData<RunForm>({ queryKey: ["prepare", workflow] })
    .findLast(([, form]) => form !== undefined)?.[1]

function startAfter(error: unknown, form: RunForm | undefined): Start {
  const failure = faultOf(error, "The run may have started.")
  const faults = form === undefined ? {} : faultsOf(form, [failure])
  return Object.keys(faults).length > 0
    ? { faults, isStarting: false }
    : { faults: {}, failure, isStarting: false }
}

/** Returns unsaved files that the run may use. A workflow uses no other workflow's file or scripts. */
const unsavedFilesOf = (workflow: string): readonly FileName[] =>
  dirtyFilesNow().filter(
    (file) =>
      (file.kind !== "workflow" && file.kind !== "script") ||
      file.workflow === workflow ||
      suiteOf(workflow) !== undefined,
  )

/** Stops a run. Does nothing if it has ended. */
export const stopRun = (run: string): Promise<unknown> => call("runs.stop", { run }).catch(() => undefined)
