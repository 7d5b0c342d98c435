// Runs workflows or a suite for the CLI, the app and `run()`.

import {
  CallsheetError,
  callsScripts,
  hasProcessVariables,
  hasReferences,
  knownSecrets,
  type BaselineEntry,
  type Problem,
  type ResolvedEnvironment,
  runOptionRows,
  type SessionStatus,
  type StaleViolation,
  toProblem,
  unreadProcessVariables,
} from "@callsheet/format"
import type { AttemptRecorder } from "../run/attempts.ts"
import type { RunBaseline } from "../baseline/run-baseline.ts"
import { refuseUnknownInputs } from "../plan/bind.ts"
import { createBugs, type Bugs } from "./bugs.ts"
import { createDocuments } from "../plan/documents.ts"
import { createLimiter, type Limiter } from "../run/limiter.ts"
import { createMasker } from "../outlet/mask.ts"
import { createOutlet, type Outlet } from "../outlet/outlet.ts"
import {
  createBinder,
  createPlanner,
  hasProblems,
  secretsFilesOf,
  secretsOf,
  type BoundEntry,
  type PlannedEntry,
  type SessionRequest,
} from "../plan/plan-entries.ts"
import type { LiveListener } from "../outlet/session-log.ts"
import type { RunSecret } from "../ports.ts"
import { runSchedule } from "./run-schedule.ts"
import type { SessionTraces } from "../trace/session-traces.ts"
import { entriesOf, scheduleOf, type Entry, type Schedule, type ScheduledEntry } from "../plan/schedule.ts"
import type { KnownReferences } from "../plan/resolve-references.ts"
import type { SessionOptions } from "./session-options.ts"
import { readsExchanges } from "../plan/settings.ts"

interface Session extends SessionRequest {
  /** Each receives one run after the other, in the order of the schedule. */
  readonly listen?: readonly LiveListener[]
  /** Receives one run after the other, in the order in which they end. */
  readonly listenEnded?: LiveListener | undefined
  /** Receives every event at once, also if runs are concurrent. */
  readonly watch?: LiveListener | undefined
}

/** Plans every entry, then runs those that can start. Returns the worst status. Throws misuse before any event. */
export const runSession = (session: Session): Promise<SessionStatus> => new OpenSession(session).run(session)

/** The options and callbacks of one run in an open session. Runs differ only in inputs, signal and callbacks. */
type SessionCall = Omit<Session, keyof SessionRequest> & Pick<Session, "options">

/** A session that can run several times, also at once. Its runs share environments, documents, plans and connections. */
export class OpenSession {
  readonly #session: Session
  readonly #schedule: Schedule
  readonly #entries: readonly ScheduledEntry[]
  readonly #requests: Limiter
  readonly #bind: ReturnType<typeof createBinder>
  readonly #plan: ReturnType<typeof createPlanner>
  readonly #references: KnownReferences = new Map()
  #exposed: Promise<readonly Problem[]> | undefined
  #runs = 0

  constructor(session: Session) {
    this.#session = session
    this.#schedule = session.schedule ?? scheduleOf(session.workflows, session.options.data)
    this.#entries = [...entriesOf(this.#schedule)]
    this.#requests = createLimiter(session.options.concurrency ?? runOptionRows.concurrency.default)
    this.#bind = createBinder(session)
    this.#plan = createPlanner(session, createDocuments(session.ports.outlines))
  }

  /** Throws the problems that keep the entries from starting with any inputs. */
  async check(): Promise<void> {
    await this.#checkSettings()
    await this.#openBaseline(this.#session.options)
    await this.#openUserFile()
    const entries = await this.#planAll(await this.#bound(undefined, undefined))
    this.#throwErrors(entries, ({ code }) => code !== "input-missing")
  }

  /** Binds and plans the first entry as a run does. Throws the problems that would keep it from starting. */
  async open() {
    const { project, options, ports } = this.#session
    await this.#checkSettings()
    const user = await this.#openUserFile()
    const bound = await this.#bound(options.inputs, options.signal)
    refuseMisuse({ project, options }, this.#schedule)
    const entries = await this.#planAll(bound)
    this.#throwErrors(entries, () => true)
    const [first] = entries
    if (first?.plan === undefined) throw new Error("an entry without errors has a plan")
    const secrets = [...user, ...secretsOf(bound), ...secretsInFiles(this.#session)]
    const masker = createMasker(secrets.map(({ value }) => value))
    const { describeWorkflow } = await import("../plan/open-workflow.ts")
    return describeWorkflow({ plan: first.plan, inputs: first.inputs, secrets: masker }, ports)
  }

  #throwErrors(entries: readonly PlannedEntry[], counts: (problem: Problem) => boolean): void {
    const errors = entries
      .flatMap(({ problems }) => problems)
      .filter((problem) => problem.severity === "error" && counts(problem))
    const [first] = errors
    if (first === undefined) return
    throw this.#masked(new CallsheetError(first, { problems: errors }))
  }

  /** Returns the error of a session that doesn't start, with the secrets in the environment files masked. */
  #masked(error: unknown): unknown {
    const secrets = secretsInFiles(this.#session).map(({ value }) => value)
    const { errorOf } = createOutlet(secrets, {
      bugs: createBugs(undefined),
      exchanges: false,
      isConcurrent: false,
      watch: [],
    })
    return errorOf(error)
  }

  async run(call: SessionCall): Promise<SessionStatus> {
    const { options } = call
    const { ports } = this.#session
    // Only the first run may continue the cookies of an earlier session.
    const own = this.#runs++ === 0 ? ports : { ...ports, http: ports.http.withOwnCookies() }
    await this.#checkSettings()
    const baseline = await this.#openBaseline(options)
    const user = await this.#openUserFile()
    const bound = await this.#bound(options.inputs, options.signal)
    const secrets = [
      ...user,
      ...secretsOf(bound),
      // The files may quote secrets that aren't resolved. A request may send a secrets file, and an agent could compare
      // the echo.
      ...(bound.some(hasProblems) || options.unknown !== undefined || options.withholdsSecrets === true
        ? secretsInFiles(this.#session)
        : []),
      ...(options.results?.secrets ?? []),
    ]
    options.onSecrets?.(secrets)
    const bugs = createBugs(options.onBug)
    const { outlet, leftovers, ...kept } = await openOutlet(call, secrets, bugs)
    try {
      refuseMisuse({ project: this.#session.project, options }, this.#schedule)
      const entries = await this.#planAll(bound, bugs, this.#exposedSecrets(bound))
      if (!bound.some(hasProblems) && entries.some(({ problems }) => problems.length > 0))
        for (const { name, value } of secretsInFiles(this.#session)) outlet.keepSecret(value, name)
      const isRefused = entries.some(({ keepsAllFromStarting }) => keepsAllFromStarting === true)
      const ready = isRefused
        ? new Map(entries.map((item) => [item.entry, item]))
        : await confirmed({ ...this.#session, options }, entries, outlet.secrets)
      const traces = await this.#openTraces(options)
      const ignored = traces?.problem === undefined ? [] : [traces.problem]
      const status = await runSchedule({
        schedule: this.#schedule,
        traces,
        warnings: [...this.#unread(), ...(options.warnings ?? []), ...ignored],
        entries: isRefused ? ready : await this.#loggedIn(ready, { options, outlet, bugs }),
        isRefused,
        ports: own,
        options,
        outlet,
        bugs,
        requests: this.#requests,
        baseline,
        ...kept,
      })
      bugs.guard(() => {
        const stale = baseline?.stale() ?? []
        if (stale.length > 0) outlet.emit({ type: "baseline.compared", run: 0, stale: stale.map(staleOf) })
        if (leftovers !== undefined)
          outlet.emit({ type: "leftovers.found", run: 0, leftovers: leftovers.found() })
      })()
      return bugs.isEmpty() ? status : "error"
    } catch (error) {
      throw outlet.errorOf(error)
    }
  }

  async #openTraces(options: SessionOptions): Promise<SessionTraces | undefined> {
    if (options.trace === undefined || options.trace === false) return undefined
    const { project, ports } = this.#session
    const { SessionTraces } = await import("../trace/session-traces.ts")
    const url = project.settingsFile?.settings?.traceUrl
    return new SessionTraces({ schedule: this.#schedule, options, ports, url })
  }

  /** Binds every entry, and resolves the secrets that their environments refer to. */
  async #bound(
    inputs: SessionOptions["inputs"],
    signal: AbortSignal | undefined,
  ): Promise<readonly BoundEntry[]> {
    const bound = this.#entries.map((entry) => this.#bind(entry, inputs))
    const { user } = this.#session.ports
    const isResolved = !bound.some(({ environments }) => [...environments.values()].some(hasReferences))
    if (isResolved || user === undefined) return bound
    const { resolveReferences } = await import("../plan/resolve-references.ts")
    return resolveReferences(bound, { user, known: this.#references, signal })
  }

  /** Returns the warnings about process variables that nothing reads. */
  #unread(): readonly Problem[] {
    const { options, readAllEnvironments } = this.#session
    const { processEnvironment = {} } = options
    if (!hasProcessVariables(processEnvironment)) return []
    return unreadProcessVariables(readAllEnvironments(), processEnvironment)
  }

  /** Starts to ask whether others may see the secrets files. Asks once for all runs of the session. */
  #exposedSecrets(bound: readonly BoundEntry[]): Promise<readonly Problem[]> | undefined {
    const { ports } = this.#session
    const files = [...secretsFilesOf(bound)]
    return files.length === 0 ? undefined : (this.#exposed ??= ports.findExposedSecrets?.(files))
  }

  /** Returns the secrets in the user-level file. Throws its problems. */
  async #openUserFile(): Promise<readonly RunSecret[]> {
    const { problems = [], secrets = [] } = (await this.#session.ports.user?.open()) ?? {}
    const [first] = problems
    if (first !== undefined) throw new CallsheetError(first, { problems })
    return secrets
  }

  /** Lets the user log in if an entry needs it. Returns the entries that can run. */
  async #loggedIn(
    ready: ReadonlyMap<Entry, PlannedEntry>,
    {
      options,
      outlet: { keepSecret, secrets },
      bugs,
    }: { readonly options: SessionOptions; readonly outlet: Outlet; readonly bugs: Bugs },
  ): Promise<ReadonlyMap<Entry, PlannedEntry>> {
    const { auth } = this.#session.ports
    const items = [...ready.values()]
    const mayNeed = items.some(({ environments }) => [...environments.values()].some(hasClient))
    if (auth === undefined || !mayNeed) return ready
    const { logIn } = await import("../auth/log-in.ts")
    const refusals = await logIn(items, { auth, options, keepSecret, secrets, bugs })
    return new Map(
      [...ready].map(([entry, item]) => {
        const refusal = refusals.get(item)
        return [entry, refusal === undefined ? item : refused(item, refusal)]
      }),
    )
  }

  /** Opens the baseline, if the project has one and a workflow validates contracts. Throws its errors. */
  async #openBaseline({
    updatesBaseline: updates = false,
  }: SessionOptions): Promise<RunBaseline | undefined> {
    const { project, ports } = this.#session
    const { baselineFile, workflows } = project
    if (baselineFile === undefined && !updates) return undefined
    if (![...workflows.values()].some(({ workflow }) => workflow?.validateContracts === true))
      return undefined
    const { openBaseline } = await import("../baseline/run-baseline.ts")
    return openBaseline(baselineFile, { now: ports.clock.now(), updates })
  }

  async #checkSettings(): Promise<void> {
    const { project } = this.#session
    if (project.settingsFile === undefined) return
    const { requireSettings } = await import("../plan/require-settings.ts")
    try {
      await requireSettings(project, project.settingsFile, this.#schedule.name)
    } catch (error) {
      throw this.#masked(error)
    }
  }

  /** Plans every entry. With `bugs`, an unexpected error keeps only its own entry from starting. */
  async #planAll(
    bound: readonly BoundEntry[],
    bugs?: Bugs,
    exposed?: Promise<readonly Problem[]>,
  ): Promise<readonly PlannedEntry[]> {
    const entries: PlannedEntry[] = []
    for (const entry of bound)
      entries.push(
        await this.#plan(entry, exposed).catch((error: unknown) => {
          if (bugs === undefined || error instanceof CallsheetError) throw error
          return refused(entry, toProblem(bugs.note(error)))
        }),
      )
    return entries
  }
}

const staleOf = ({ api, operation, status, path, schema }: BaselineEntry): StaleViolation => ({
  api,
  operation,
  status,
  path,
  schema,
})

/** Returns whether an environment may define an OAuth client. */
const hasClient = ({ variables }: ResolvedEnvironment): boolean => {
  for (const [name, { value }] of variables)
    if (value !== undefined && name.endsWith("_clientId")) return true
  return false
}

/** Opens the outlet of one run, with its listeners. */
async function openOutlet(call: SessionCall, secrets: readonly RunSecret[], bugs: Bugs) {
  const { options, watch, ...listeners } = call
  const found: RunSecret[] = []
  const recorders = new Map<number, AttemptRecorder>()
  const leftovers =
    options.leftovers === true ? (await import("./leftovers.ts")).createLeftoverWatch() : undefined
  const outlet = createOutlet(
    secrets.map(({ value }) => value),
    {
      bugs,
      exchanges: readsExchanges(options),
      isConcurrent: (options.jobs ?? runOptionRows.jobs.default) > 1,
      watch: [
        (event) => recorders.get(event.run)?.hear(event),
        ...(leftovers === undefined ? [] : [leftovers.listen]),
        ...(watch === undefined ? [] : [watch]),
      ],
      listen: listeners.listen,
      listenEnded: listeners.listenEnded,
      onSecret: (secret) => {
        if (options.onResults !== undefined) found.push(secret)
        options.onSecrets?.([secret])
      },
    },
  )
  return { outlet, leftovers, found, recorders }
}

function refuseMisuse({ project, options }: Pick<Session, "project" | "options">, { main }: Schedule): void {
  const files = main.flatMap(({ workflow }) => project.workflows.get(workflow)?.workflow ?? [])
  // An unreadable workflow may declare the input.
  if (files.length === main.length) refuseUnknownInputs(files, options.inputs ?? {})
}

/** Asks whether the entries may send to production, and makes scripts ready. Returns the entries that can run. */
async function confirmed(
  session: Session,
  entries: readonly PlannedEntry[],
  secrets: Outlet["secrets"],
): Promise<ReadonlyMap<Entry, PlannedEntry>> {
  const refusals = await refusalsOf(entries, session, secrets)
  const warmUp = session.ports.scripts.warmUp
  const starting = entries.flatMap((item) => (refusals.has(item) ? [] : (item.plan?.workflow.blocks ?? [])))
  if (callsScripts(starting)) await warmUp?.(session.options.signal)
  return new Map(
    entries.map((item) => {
      const refusal = refusals.get(item)
      return [item.entry, refusal === undefined ? item : refused(item, refusal)]
    }),
  )
}

/** Returns all secrets in the environment files, because a problem may quote any of them. */
const secretsInFiles = ({
  readAllEnvironments,
  options,
}: Session): readonly { name: string; value: string }[] =>
  readAllEnvironments().flatMap((files) =>
    knownSecrets(files, options.processEnvironment ?? {}).map(({ name, value }) => ({
      name: `${files.api}.${name}`,
      value,
    })),
  )

/** Returns the reasons why runs must not send to production. */
async function refusalsOf(
  entries: readonly PlannedEntry[],
  session: Session,
  secrets: Outlet["secrets"],
): Promise<ReadonlyMap<PlannedEntry, Problem>> {
  const isAsking = entries.some(
    ({ plan, environments }) =>
      plan !== undefined && [...environments.values()].some(({ level }) => level === "production"),
  )
  if (!isAsking || session.options.confirm === true) return new Map()
  const { confirmProduction } = await import("../plan/confirm-production.ts")
  return confirmProduction(entries, session, secrets)
}

function refused({ plan: _, ...item }: PlannedEntry, problem: Problem): PlannedEntry {
  return { ...item, problems: [...item.problems, problem] }
}
