// The app's runs of workflows and single requests: current and finished.

import { randomBytes } from "node:crypto"
import type { Logins } from "@callsheet/engine"
import { CallsheetError, type Project, ownOf } from "@callsheet/format"
import { recoverProject } from "@callsheet/project"
import { messages } from "../messages.ts"
import {
  suiteOf,
  type AppEvent,
  type Output,
  type RunOrder,
  type RunStarted,
  type RunSummary,
  type RunView,
} from "../calls/index.ts"
import type { PreviewImport } from "../imports/preview-in-thread.ts"
import { createEventSource } from "../events.ts"
import type { HandlersOf } from "../handlers.ts"
import { createSecretsMasker } from "../secrets/secrets-masker.ts"
import { readPart } from "../project/read-parts.ts"
import { choicesOf, createConfirmations, createProductionGate } from "./production-gate.ts"
import type { LastResults } from "./last-results.ts"
import { createRunHiding } from "./hide-runs.ts"
import type { DoneRun, GoingRun, WithPorts } from "./going-run.ts"
import { createRunHistory, type RunHistoryOptions } from "./run-history.ts"
import { EditedWorkflows } from "./run-results.ts"
import { askForTrust, createScriptTrust } from "./script-trust.ts"
import { choicesToSend, createSentEnvironments, orderToSend, projectToSend } from "./send-request.ts"
import { tryRequest } from "./try-request.ts"
import { RunSnapshots } from "../snapshots/run-snapshots.ts"
import { Starts, type Start } from "./run-starts.ts"
import { environmentPresets, readSubject, runForm, runFormApi } from "./run-form.ts"

export interface RunHandlersOptions extends RunHistoryOptions {
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly withPorts: WithPorts
  /** Reads the text of a request like an import. */
  readonly previewImport: PreviewImport
  /** Returns whether other machines can reach the server. If so, nothing runs against production. */
  readonly isRemote: () => boolean
  readonly onBug: (error: unknown) => void
  readonly maxResultBytes?: number
  readonly now?: () => number
  /** Kept until the app stops, so that the user logs in once. */
  readonly logins?: Logins
}

/** The maximum number of current runs, including those that are about to start. */
const MAX_RUNS = 8
/** The maximum number of runs in memory that are too large for the history. */
const MAX_UNKEPT = 2
const MAX_SENT = 8

const MAX_RESULT_BYTES = 64 * 1024 * 1024

/** The time to answer a question in milliseconds. It is longer for scripts, which the user has to read. */
const VALID_MS = { production: 60_000, trust: 30 * 60_000 } as const

interface StartRequest {
  readonly order: RunOrder
  readonly choices: readonly unknown[]
  readonly read: () => Project
  readonly isSent: boolean
  readonly onStarted: () => void
}

function keepFew(runs: Map<string, DoneRun>, done: DoneRun, max: number): void {
  runs.set(done.summary.run, done)
  for (const oldest of runs.keys()) {
    if (runs.size <= max) break
    runs.delete(oldest)
  }
}

export function createRunHandlers(options: RunHandlersOptions) {
  const runs = new Runs(options)
  const { handlers, events, trustText, trustFixed, noteRename, keptOutside, close } = runs
  return {
    handlers,
    events,
    trustText,
    trustFixed,
    noteRename,
    keptOutside,
    close,
    snapshotsOf: runs.snapshots.of,
  }
}

class Runs {
  readonly #options: RunHandlersOptions
  readonly #history
  readonly #confirmations
  readonly #trust
  /** Created for the first run, because it loads the engine. */
  #results: LastResults | undefined
  readonly #source = createEventSource<AppEvent>()
  readonly #controllers = new Map<AbortController, Promise<unknown>>()
  readonly #going = new Map<string, GoingRun & Pick<StartRequest, "isSent">>()
  readonly #sent = new Map<string, DoneRun>()
  readonly #sentEnvironments
  readonly #starts = new Starts<RunStarted>((login) => ({ login }))
  readonly #logins: Logins
  /** Finished runs that couldn't be stored. The oldest ones are dropped. */
  readonly #unkept = new Map<string, DoneRun>()
  readonly #edited: EditedWorkflows
  readonly snapshots = new RunSnapshots()
  #isClosed = false
  readonly trustText
  readonly trustFixed
  readonly keptOutside
  readonly events = { subscribe: this.#source.subscribe }

  constructor(options: RunHandlersOptions) {
    this.#options = options
    this.#logins = options.logins ?? new Map()
    this.#history = createRunHistory(options)
    this.#edited = new EditedWorkflows(options.root)
    this.#sentEnvironments = createSentEnvironments(options)
    const now = options.now ?? (() => performance.now())
    this.#confirmations = {
      production: createConfirmations(now, VALID_MS.production),
      trust: createConfirmations(now, VALID_MS.trust),
    }
    this.#trust = createScriptTrust(options)
    this.trustText = this.#trust.trustText
    this.trustFixed = this.#trust.trustFixed
    this.keptOutside = createRunHiding(this.#history, [this.#sent, this.#unkept], this.#source.emit)
  }

  readonly handlers: HandlersOf<"runs" | "requests"> = {
    "runs.prepare": async ({ workflow }) => {
      const { root, processEnvironment } = this.#options
      const project = readSubject(root, workflow, { documents: "named" })
      const masker = createSecretsMasker(project, processEnvironment)
      return runForm({ project, workflow, lastOf: this.#lastEnvironmentOf, masker })
    },
    "runs.start": async (order) => {
      if (order.until !== undefined && order.only !== undefined)
        throw new CallsheetError(messages["field-value"].untilAndOnly())
      if (suiteOf(order.workflow) !== undefined && (order.until ?? order.only) !== undefined)
        throw new CallsheetError(messages["field-value"].suitePart())
      const { root } = this.#options
      return this.#start({
        order,
        choices: choicesOf(order),
        read: () => readSubject(root, order.workflow, { named: Object.keys(order.environments) }),
        isSent: false,
        onStarted: () => undefined,
      })
    },
    "runs.login": ({ login }) => this.#starts.next(login),
    "runs.cancelLogin": async ({ login }) => {
      this.#starts.cancel(login)
      return {}
    },
    "runs.rename": async ({ from, to }) => {
      this.noteRename(from, to)
      return {}
    },
    "requests.prepare": async ({ api }) => {
      const project = readPart(this.#options.root, { workflows: [], apis: [api], documents: "named" })
      const [form] = runFormApi(project, api, this.#lastEnvironmentOf)
      return form ?? { api, environments: [] }
    },
    "runs.presets": async () => {
      const project = readPart(this.#options.root, { workflows: [], apis: "all", documents: "named" })
      return environmentPresets(project, this.#lastEnvironmentOf)
    },
    "requests.send": (order) =>
      this.#start({
        order: orderToSend(order),
        choices: choicesToSend(order),
        read: () => projectToSend(this.#options.root, order),
        isSent: true,
        onStarted: () => this.#sentEnvironments.remember(order.api, order.environment),
      }),
    "requests.try": async (order) => {
      const { losses, project, order: wanted } = await tryRequest(order, this.#options)
      const started = await this.#start({
        order: wanted,
        choices: ["try", order.text],
        read: () => project,
        isSent: true,
        onStarted: () => undefined,
      })
      return { started, losses }
    },
    "runs.stop": async ({ run }) => {
      const going = this.#going.get(run)
      if (going === undefined) this.#read(run)
      else going.stop()
      return { run }
    },
    "runs.read": async ({ run }) => this.#read(run),
    "runs.compare": async ({ before, after }) => {
      const [own, other] = [this.#read(before).report, this.#read(after).report]
      const { compareReports } = await import("./compare-reports.ts")
      return compareReports(this.#options.root, own, other)
    },
    "runs.list": async ({ workflow }) => ({
      runs: this.#kept().filter((kept) => kept.workflow === workflow),
    }),
    "runs.latest": async () => this.#latest(),
  }

  readonly #lastEnvironmentOf = (api: string): string | undefined => {
    const ofRuns = this.#kept().find(({ environments }) => Object.hasOwn(environments, api))
    return this.#sentEnvironments.of(api) ?? ownOf(ofRuns?.environments, api)
  }

  async #start(wanted: StartRequest): Promise<RunStarted> {
    if (this.#controllers.size >= MAX_RUNS) throw new CallsheetError(messages["run-limit"].full(MAX_RUNS))
    if (this.#isClosed) throw new CallsheetError(messages["run-limit"].stopping())
    const controller = new AbortController()
    const start = this.#starts.begin(() => controller.abort())
    const ended = this.#perform(wanted, controller, start)
      .catch(start.fail)
      .finally(() => {
        this.#controllers.delete(controller)
        start.end()
      })
    this.#controllers.set(controller, ended)
    return start.first
  }

  /** Performs a run. Answers when it is clear whether the run starts. Resolves when it finishes. */
  async #perform(
    wanted: StartRequest,
    controller: AbortController,
    { answer, askToLogIn, isCancelled }: Start<RunStarted>,
  ): Promise<void> {
    const { order, isSent } = wanted
    const { root, isRemote } = this.#options
    await recoverProject(root)
    const confirmations = this.#confirmations.production
    const gate = await createProductionGate({ ...wanted, root, isRemote: isRemote(), confirmations })
    const trusted = await askForTrust(gate.project, order, {
      trust: this.#trust,
      confirmations: this.#confirmations.trust,
    })
    if (trusted.question !== undefined) return answer({ trust: trusted.question })
    const run = createRunId(Date.now())
    const { performRun } = await import("./going-run.ts")
    const snapshots =
      order.comparesSnapshots === true ? this.snapshots.open(run, order.workflow, gate.project) : undefined
    const done = await performRun(
      {
        ...this.#options,
        run,
        order,
        project: gate.project,
        logins: this.#logins,
        // A login ends at this machine, so a browser on another one can't finish it.
        login: isRemote() ? undefined : askToLogIn,
        isCancelled,
        scripts: trusted.contents,
        snapshots,
        kept: isSent || suiteOf(order.workflow) !== undefined ? undefined : await this.#lastResults(),
        confirm: async (production) => {
          const question = await gate.ask(production)
          if (question !== undefined) answer({ ask: question })
          return question === undefined
        },
        onStarted: (going) => {
          this.#going.set(run, { ...going, isSent })
          wanted.onStarted()
          this.#source.emit({ type: "run.changed", run, workflow: order.workflow, isDone: false })
          answer({ run })
        },
        emit: this.#source.emit,
      },
      controller,
    )
    snapshots?.finish()
    if (done !== undefined) this.#finish(done, isSent)
  }

  /** Moves the finished runs of a workflow to its new name. */
  readonly noteRename = (from: string, to: string): void => {
    this.#history.rename(from, to)
    this.#results?.rename(from, to)
    for (const [run, done] of this.#unkept)
      if (done.summary.workflow === from)
        this.#unkept.set(run, { ...done, summary: { ...done.summary, workflow: to } })
  }

  async #lastResults(): Promise<LastResults> {
    const { createLastResults } = await import("./last-results.ts")
    return (this.#results ??= createLastResults({
      maxBytes: this.#options.maxResultBytes ?? MAX_RESULT_BYTES,
    }))
  }

  #finish(done: DoneRun, isSent: boolean): void {
    const { run, workflow } = done.summary
    if (isSent) keepFew(this.#sent, done, MAX_SENT)
    else if (!this.#history.keep(done)) keepFew(this.#unkept, done, MAX_UNKEPT)
    this.#going.delete(run)
    this.#source.emit({ type: "run.changed", run, workflow, isDone: true })
  }

  #read(run: string): RunView {
    const going = this.#going.get(run)
    if (going !== undefined) return going.view()
    const done = this.#unkept.get(run) ?? this.#sent.get(run) ?? this.#history.read(run)
    if (done === undefined) throw new CallsheetError(messages["run-unknown"].unknown())
    const { workflow, startedAt, part } = done.summary
    return { run, workflow, startedAt, part, isDone: true, events: 0, report: done.report }
  }

  #kept(): readonly RunSummary[] {
    const unkept = [...this.#unkept.values()].map(({ summary }) => summary)
    return [...unkept, ...this.#history.list()].toSorted((one, other) => (one.run < other.run ? 1 : -1))
  }

  #latest(): Output<"runs.latest"> {
    const seen = new Set<string>()
    const whole = this.#kept().filter(({ part }) => part === undefined)
    const runs = whole.filter(({ workflow }) => !seen.has(workflow) && seen.add(workflow))
    const going = [...this.#going.values()].flatMap(({ run, workflow, startedAt, isSent }) =>
      isSent ? [] : [{ run, workflow, startedAt }],
    )
    const edited = this.#edited.since(whole)
    return edited.length === 0 ? { runs, going } : { runs, edited, going }
  }

  /** Stops all runs like Ctrl-C, and keeps their reports. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    for (const controller of this.#controllers.keys()) controller.abort()
    await Promise.all(this.#controllers.values())
    this.#source.close()
  }
}

/** Creates a unique name that sorts by start time. `now` is in milliseconds since 1970. */
const createRunId = (now: number): string =>
  `${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-${randomBytes(8).toString("hex")}`
