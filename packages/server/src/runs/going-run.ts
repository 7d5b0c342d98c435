// A current run: a session of the engine. Its events become a report and are sent to pages.

import {
  createCookies,
  runSession,
  withContracts,
  withDefaults,
  type Cookies,
  type LiveListener,
  SessionLog,
  type Logins,
  type MaskAgain,
  type Ports,
  type ProductionBinding,
  type ScriptContents,
} from "@callsheet/engine"
import {
  createReportFold,
  keepProgress,
  stringifyJson,
  type Project,
  type Report,
  type RunEvent,
} from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import { suiteIn } from "@callsheet/language"
import {
  suiteOf,
  type AppEvent,
  type RunEventBatch,
  type RunOrder,
  type RunPart,
  type RunSummary,
  type RunView,
} from "../calls/index.ts"
import type { ComparedRun } from "../snapshots/run-snapshots.ts"
import type { LastResults } from "./last-results.ts"
import { resultsOf } from "./run-results.ts"

export type WithPorts = <T>(
  start: {
    readonly cookies: Cookies
    /** The scripts that the user approved, with their contents at that time. */
    readonly scriptContents: ScriptContents
    readonly logins: Logins
  },
  use: (ports: Ports) => Promise<T>,
) => Promise<T>

interface GoingRunOptions {
  readonly run: string
  readonly order: RunOrder
  readonly project: Project
  readonly scripts: ScriptContents
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly withPorts: WithPorts
  readonly kept: LastResults | undefined
  readonly logins: Logins
  /** Shows the URL of a login page to the user. Without it, runs that need a login are refused. */
  readonly login: ((url: string) => void) | undefined
  /** Returns whether the user has canceled a login. The run then leaves no report. */
  readonly isCancelled: () => boolean
  /** Compares responses with snapshots. Undefined if the order doesn't ask for it. */
  readonly snapshots: ComparedRun | undefined
  readonly confirm: (production: readonly ProductionBinding[]) => Promise<boolean>
  readonly onStarted: (going: GoingRun) => void
  readonly emit: (event: AppEvent) => void
  readonly onBug: (error: unknown) => void
}

export interface GoingRun {
  readonly run: string
  readonly workflow: string
  readonly startedAt: string
  readonly environments: Readonly<Record<string, string>>
  readonly view: () => RunView
  readonly stop: () => void
}

export interface DoneRun {
  readonly summary: RunSummary
  readonly report: Report
}

/**
 * Runs the order. Returns undefined if it wasn't confirmed. Throws misuse before the start. `onBug` receives later
 * errors.
 */
export async function performRun(
  options: GoingRunOptions,
  controller: AbortController,
): Promise<DoneRun | undefined> {
  const { order, project, processEnvironment, withPorts, kept, scripts, snapshots } = options
  const suite = suiteOf(order.workflow)
  const before = order.only === undefined ? undefined : kept?.of(order)
  const cookies = before?.cookies ?? createCookies()
  const record = createRecord(options, controller)
  let isConfirmed = true
  try {
    await withPorts({ cookies, scriptContents: scripts, logins: options.logins }, (ports) =>
      runSession({
        project: order.validatesContracts === true ? withContracts(project) : project,
        workflows: [...project.workflows.keys()],
        schedule: suite === undefined ? undefined : suiteIn(project, suite).suite,
        ports: snapshots?.usePorts(ports) ?? ports,
        readAllEnvironments: () => readAllEnvironments(project),
        listen: [
          (event, maskAgain) => {
            if (isConfirmed && !options.isCancelled()) record.hear(event, maskAgain)
            snapshots?.listen(event, maskAgain)
          },
        ],
        options: {
          ...withDefaults(chosenOptions(order), project),
          inputs: order.inputs,
          overrides: [],
          processEnvironment,
          exchanges: true,
          coverage: snapshots !== undefined,
          signal: controller.signal,
          onBug: options.onBug,
          login: options.login,
          part: partOf(order),
          results: before?.results,
          onResults: kept && ((results) => kept.keep(order, { results, cookies })),
          confirm: async (production) => {
            isConfirmed = await options.confirm(production)
            return isConfirmed
          },
        },
      }),
    )
  } catch (error) {
    if (!record.isStarted()) throw error
    options.onBug(error)
    record.stop()
  }
  record.end()
  return record.done()
}

const chosenOptions = ({ workflow, environments, onFailure, inboxPort, inboxUrl }: RunOrder) => ({
  onFailure,
  inboxPort,
  inboxUrl,
  // In a suite, `callsheet.json` takes precedence.
  ...(suiteOf(workflow) === undefined ? { environments } : { defaultEnvironments: environments }),
})

const partOf = ({ until, only }: RunOrder): RunPart | undefined => {
  if (only !== undefined) return { only }
  return until === undefined ? undefined : { until }
}

function createRecord(
  { run, order, project, emit, onStarted }: GoingRunOptions,
  controller: AbortController,
) {
  const log = new SessionLog()
  let maskAgain: MaskAgain = (event) => event
  const batches = createEventBatches(run, emit, (event) => maskAgain(event))
  const { workflow } = order
  const part = partOf(order)
  // The entries of a suite have their own environments.
  const choicesOf = (first: RunStart["environments"]) =>
    suiteOf(workflow) === undefined ? namesOf(first) : order.environments
  let events = 0
  let latestRun = 0
  const folded = () => {
    const fold = createReportFold(undefined, keepProgress)
    for (const event of log) fold.apply(event)
    return fold
  }
  const start = ({ startedAt, environments }: RunStart): void => {
    onStarted({
      run,
      workflow,
      startedAt,
      environments: choicesOf(environments),
      stop: () => controller.abort(),
      view: () => {
        const { report, soFar } = folded()
        return { run, workflow, startedAt, part, isDone: false, events, going: soFar(), report }
      },
    })
  }
  const hear: LiveListener = (event, mask) => {
    maskAgain = mask
    log.append(event, mask)
    latestRun = event.run
    if (events++ === 0 && event.type === "run.started") start(event)
    batches.add(event)
  }
  return {
    isStarted: () => events > 0,
    hear,
    /** Ends a run that callsheet itself could not end. */
    stop: () => hear({ type: "run.finished", run: latestRun, status: "error", durationMs: 0 }, maskAgain),
    end: batches.end,
    done: () => {
      const { report } = folded()
      const [first] = report.runs
      if (first === undefined) return undefined
      const { startedAt, environments } = first
      const { status, durationMs } = report
      const isStopped = controller.signal.aborted && status === "failed" ? (true as const) : undefined
      const ended = { startedAt, status, durationMs, environments: choicesOf(environments), isStopped }
      return { summary: { run, workflow, ...ended, part, results: resultsOf(report, project) }, report }
    },
  }
}

type RunStart = Extract<RunEvent, { type: "run.started" }>

const namesOf = (environments: RunStart["environments"]) =>
  Object.fromEntries(Object.entries(environments).map(([api, { name }]) => [api, name]))

const EVERY_MS = 50
/** The maximum length of a batch as JSON. A longer event is skipped. */
const MAX_BATCH_CHARACTERS = 256 * 1024
/** The number of batches to send at the end of a run. A page may leave more than this unread. */
const LAST_BATCHES = 3

function createEventBatches(run: string, emit: (batch: RunEventBatch) => void, maskAgain: MaskAgain) {
  let waiting: RunEvent[] = []
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    const { events, skipped } = take(waiting, maskAgain)
    waiting = waiting.slice(skipped + events.length)
    if (events.length > 0) emit({ type: "run.events", run, from: sent + skipped, events })
    sent += skipped + events.length
    if (waiting.length > 0) timer = setTimeout(flush, EVERY_MS)
  }
  return {
    add: (event: RunEvent): void => {
      waiting.push(event)
      timer ??= setTimeout(flush, EVERY_MS)
    },
    /** Sends as many events as a page accepts at once. Drops the rest, because `runs.read` returns the whole report. */
    end: () => {
      for (let batch = 0; batch < LAST_BATCHES && waiting.length > 0; batch++) {
        clearTimeout(timer)
        flush()
      }
      clearTimeout(timer)
      waiting = []
    },
  }
}

function take(waiting: readonly RunEvent[], maskAgain: MaskAgain) {
  const events: RunEvent[] = []
  let skipped = 0
  let length = 0
  for (const earlier of waiting) {
    const event = maskAgain(earlier)
    const own = stringifyJson(event).length
    if (own > MAX_BATCH_CHARACTERS && events.length === 0) skipped++
    else {
      length += own
      if (length > MAX_BATCH_CHARACTERS) break
      events.push(event)
    }
  }
  return { events, skipped }
}
