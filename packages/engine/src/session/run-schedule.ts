// Runs the planned entries of a session in order, with retries, repetitions and cleanup. Cleanup always runs.

import {
  formatProblem,
  memo,
  parsePathOnce,
  parseTemplateOnce,
  runOptionRows,
  worstStatus,
  setOwn,
  toProblem,
  tokensOf,
  valueStrings,
  toText,
  type EventOf,
  type InputDeclaration,
  type JsonValue,
  type Listener,
  type Problem,
  type RecordedRun,
  type ResolvedEnvironment,
  type RowOrProblem,
  type RunError,
  type RunPlace,
  type RunRole,
  type RunSkipReason,
  type RunStatus,
  type SessionStatus,
  member,
  ownOf,
} from "@callsheet/format"
import { createRunScope, type BlockResult } from "@callsheet/language"
import { createAttemptRecorder, differenceOf, type AttemptRecorder } from "../run/attempts.ts"
import { runErrorOf, type Bugs } from "./bugs.ts"
import { settleInputs } from "../plan/bind.ts"
import { expandJson } from "../run/expand.ts"
import { messages } from "../messages.ts"
import type { SourceEvents } from "./job-events.ts"
import { createSeededRandom, type DynamicValues } from "../run/dynamic-values.ts"
import type { Outlet } from "../outlet/outlet.ts"
import type { Plan } from "../plan/plan.ts"
import type { Generated, OpenService, Ports, RunSecret } from "../ports.ts"
import { inputSecrets, tokenInputs, unsafeMethods, type PlannedEntry } from "../plan/plan-entries.ts"
import { roundMs } from "../run/round-ms.ts"
import type { Limiter } from "../run/limiter.ts"
import { runJobs } from "./job-pool.ts"
import { runPlan, type RunRequest } from "../run/run.ts"
import type { OpenedServices, RunInbox, Services } from "./open-services.ts"
import { entriesOf, type Entry, type Schedule } from "../plan/schedule.ts"
import type { SessionOptions } from "./session-options.ts"
import { shownBaseUrl } from "../plan/shown-base-url.ts"
import type { RunTracing } from "../run/context.ts"
import type { SessionTraces } from "../trace/session-traces.ts"
import { undecidable } from "../run/undecided.ts"

export interface ScheduleRequest {
  readonly schedule: Schedule
  /** Every entry of the schedule. An entry without a plan can't start. */
  readonly entries: ReadonlyMap<Entry, PlannedEntry>
  /** True if nothing may start, because of the problems of some entries. */
  readonly isRefused: boolean
  /** Warnings that belong to no entry. The first run raises them. */
  readonly warnings: readonly Problem[]
  readonly ports: Ports
  readonly options: SessionOptions
  readonly outlet: Outlet
  readonly bugs: Bugs
  /** Limits the requests of all runs together. */
  readonly requests: Limiter
  readonly baseline: RunRequest["baseline"]
  /** The secrets captured so far. */
  readonly found: readonly RunSecret[]
  /** The recorders of the runs in progress, by run. */
  readonly recorders: Map<number, AttemptRecorder>
  /** Set if the session is traced. */
  readonly traces?: SessionTraces | undefined
}

type BlockResults = ReadonlyMap<string, BlockResult>
type Inputs = ReadonlyMap<string, JsonValue>

/** A use of an entry: its part in the suite, and the results that its inputs can read. */
interface Use {
  readonly entry: Entry
  readonly role: RunRole
  readonly place: RunPlace
  readonly emit: Listener
  /** The results of the entry that this one cleans up after. */
  readonly around?: BlockResults | undefined
  /** The services of the run that this one cleans up after. */
  readonly services?: Services | undefined
  /** The attempts that this cleans up after, innermost last. */
  readonly after?: readonly number[] | undefined
  /** The row to run with, or the reason why no more rows can run. */
  readonly row?: RowOrProblem | undefined
}

interface Done {
  readonly status: RunStatus
  readonly results: BlockResults
  /** True if another attempt follows. Never true after an interruption. */
  readonly isRetried?: boolean
  /** The services of the run, which its cleanup uses, too. */
  readonly opened?: Pick<OpenedServices, "services" | "close"> | undefined
}

/** Runs a schedule. Returns the worst status of its runs. A failed attempt doesn't count if another one follows. */
export async function runSchedule(request: ScheduleRequest): Promise<SessionStatus> {
  const over = new AbortController()
  const run = new ScheduleRun(request, cleanupSignal(request, over.signal))
  try {
    await run.all()
  } finally {
    over.abort()
  }
  return run.worst
}

/** Returns the signal of cleanup runs. It aborts at the end of the grace period after an interruption. */
function cleanupSignal({ options, ports }: ScheduleRequest, over: AbortSignal): AbortSignal {
  const { signal, cleanupTimeoutMs = runOptionRows.cleanupTimeoutMs.default } = options
  const controller = new AbortController()
  const wait = (): void => {
    const stop = (): void => controller.abort()
    void ports.clock.sleep(cleanupTimeoutMs, over).then(stop, stop)
  }
  if (signal?.aborted === true) wait()
  else signal?.addEventListener("abort", wait, { once: true, signal: over })
  return controller.signal
}

class ScheduleRun {
  worst: SessionStatus = "passed"
  #runs = 0
  #failed = 0
  readonly #request: ScheduleRequest
  readonly #signal: AbortSignal
  readonly #cleanup: AbortSignal
  /** The results of the entries of `before`, by name. Each result has the entry's blocks as members. */
  readonly #before = new Map<string, BlockResult>()
  /** The services of the entries of `before`, which all later entries use, too. */
  readonly #services = new Map<string, OpenService>()
  readonly #templates = memo((_: Plan): RunRequest["templates"] => new Map())

  constructor(request: ScheduleRequest, cleanup: AbortSignal) {
    this.#request = request
    this.#signal = request.options.signal ?? new AbortController().signal
    this.#cleanup = cleanup
  }

  async all(): Promise<void> {
    const { schedule, options, outlet } = this.#request
    const { before, main, finally: last } = schedule
    const { emit } = outlet
    if (this.#request.isRefused) return this.#refuseAll()
    const done: { readonly use: Use; readonly ended: Done }[] = []
    let isHalted = !this.#canStart(last)
    for (const entry of before) {
      const use: Use = { entry, role: "before", place: {}, emit }
      if (isHalted) this.#skip(use, "halted")
      else {
        const ended = await this.#runAttempts(use)
        done.unshift({ use, ended })
        for (const [key, service] of ended.opened?.services ?? []) this.#services.set(key, service)
        this.#before.set(entry.name, asBlock(entry.name, ended.results))
        isHalted = ended.status !== "passed"
      }
    }
    const sources = main.map((entry) => ({
      locks: entry.locks,
      jobs: this.#jobsOf(entry, isHalted, outlet.openSource()),
    }))
    await runJobs(sources, options.jobs ?? runOptionRows.jobs.default)
    await this.#cleanUp(last, { place: {}, emit })
    // Must be last, because the entries of the suite's `finally` may need what these set up.
    for (const { use, ended } of done) await this.#cleanUpAfter(use, ended)
  }

  /** Reports the problems that keep the session from starting. Skips entries without problems. */
  async #refuseAll(): Promise<void> {
    const { schedule, outlet } = this.#request
    for (const { entry, role } of entriesOf(schedule)) {
      const use: Use = { entry, role, place: {}, emit: outlet.emit }
      if (this.#planned(entry).plan !== undefined) this.#skip(use, "refused")
      else await this.#runOnce({ ...use, mayRetry: false, failed: undefined, recorder: undefined })
    }
  }

  /** Yields the runs of a main entry, with their attempts and cleanup, as they can start. */
  async *#jobsOf(
    entry: Entry,
    isHalted: boolean,
    events: SourceEvents,
  ): AsyncGenerator<() => Promise<void>, void> {
    const { bail = Infinity, repeat } = this.#request.options
    for (let number = 1; number <= (repeat ?? 1); number++) {
      const place: RunPlace = repeat === undefined ? {} : { repeat: number }
      for await (const row of isHalted ? [undefined] : this.#rowsOf(entry)) {
        const { emit, end } = events.open()
        const use: Use = { entry, role: "main", place: { ...place, ...rowPlace(row) }, row, emit }
        const isLater = number > 1 || (row?.ok === true && row.row.row > 1)
        const isSkipped = isHalted || this.#isInterrupted(isLater)
        if (isSkipped || this.#failed >= bail) {
          this.#skip(use, isSkipped ? "halted" : "bail")
          end()
          // One skipped run stands for all remaining rows.
          break
        }
        yield async () => {
          const { status } = await this.#runAttempts(use)
          if (status === "failed" || status === "error") this.#failed++
          end()
        }
      }
    }
    events.close()
  }

  /**
   * Returns whether an interruption skips the entry. Workflows that the caller named still report their blocks as
   * canceled. A suite doesn't, because it may have thousands of entries.
   */
  #isInterrupted(isLater: boolean): boolean {
    return this.#signal.aborted && (isLater || this.#request.schedule.name !== undefined)
  }

  async *#rowsOf(entry: Entry): AsyncGenerator<RowOrProblem | undefined> {
    const { rows } = this.#planned(entry)
    if (rows === undefined) yield undefined
    else
      try {
        yield* rows()
      } catch (error) {
        yield { ok: false, problem: toProblem(this.#request.bugs.note(error)) }
      }
  }

  /** Returns whether all entries and their cleanup can start: nothing may be created that can't be cleaned up. */
  #canStart(entries: readonly Entry[]): boolean {
    const { entries: planned } = this.#request
    return entries.every((entry) => planned.get(entry)?.plan !== undefined && this.#canStart(entry.finally))
  }

  async #runAttempts(use: Use): Promise<Done> {
    const { entry, role, place } = use
    if (!this.#canStart(entry.finally)) {
      this.#skip(use, "halted")
      await this.#cleanUp(entry.finally, use)
      return { status: "error", results: new Map() }
    }
    const retries = this.#retriesOf(entry)
    const trace = this.#request.traces?.open(use)
    let failed: AttemptRecorder | undefined
    for (let attempt = 1; ; attempt++) {
      const recorder = retries === 0 ? undefined : createAttemptRecorder()
      const done = await this.#runOnce({
        ...use,
        place: retries === 0 ? place : { ...place, attempt },
        mayRetry: attempt <= retries,
        failed,
        recorder,
        tracing: trace?.openRun(retries === 0 ? undefined : attempt),
      }).catch(this.#noteBroken)
      // The results of an entry of `before` are needed until the end.
      if (role !== "before" || done.isRetried) {
        const after = [...(use.after ?? []), attempt]
        await this.#cleanUpAfter({ entry, place, emit: use.emit, after }, done)
      }
      if (!done.isRetried) return done
      failed = recorder
    }
  }

  /** Cleans up after a run, which no longer needs its services then. */
  async #cleanUpAfter(
    { entry, place, emit, after }: Pick<Use, "entry" | "place" | "emit" | "after">,
    { results, opened }: Done,
  ): Promise<void> {
    await this.#cleanUp(entry.finally, { place, emit, after, around: results, services: opened?.services })
    await opened?.close()
  }

  async #cleanUp(entries: readonly Entry[], use: Omit<Use, "entry" | "role">): Promise<void> {
    const { place, emit, after, around, services } = use
    for (const entry of entries)
      await this.#runAttempts({ entry, role: "finally", place, emit, around, after, services })
  }

  #retriesOf(entry: Entry): number {
    const { retries = 0 } = this.#request.options
    if (entry.retries !== undefined) return entry.retries
    return this.#unsafeMethods(entry).length === 0 ? retries : 0
  }

  /** Returns the methods that keep `--retries` from repeating the entry. */
  #unsafeMethods(entry: Entry): readonly string[] {
    const plan = this.#request.entries.get(entry)?.plan
    const { retries = 0 } = this.#request.options
    const isSafe = entry.retries !== undefined || retries === 0 || entry.finally.length > 0
    return isSafe || plan === undefined ? [] : unsafeMethods(plan)
  }

  /** Notes an unexpected error outside of blocks. Other entries and all cleanup still run. */
  #noteBroken = (error: unknown): Done => {
    this.#request.bugs.note(error)
    return { status: "error", results: new Map() }
  }

  #skip(use: Use, reason: RunSkipReason, opened?: Ports): void {
    try {
      const { environments, inputs } = this.#planned(use.entry)
      const run = this.#start(use, { environments, inputs, ports: opened ?? this.#openPorts(use) })
      use.emit({ type: "run.finished", run, status: "skipped", durationMs: 0, reason })
    } catch (error) {
      this.#noteBroken(error)
    }
  }

  #planned(entry: Entry): PlannedEntry {
    const planned = this.#request.entries.get(entry)
    if (planned === undefined) throw new Error("an entry of the schedule was not planned")
    return planned
  }

  async #runOnce(use: Attempt): Promise<Done> {
    const planned = this.#planned(use.entry)
    const ports = this.#openPorts(use)
    if (!needsServices(planned)) return this.#runWith(use, { planned, ports })
    const { openServices } = await import("./open-services.ts")
    const shared = new Map([...this.#services, ...(use.services ?? [])])
    const opened = await openServices(planned, { ...this.#request, ports, shared })
    const { planned: own, inbox } = opened
    try {
      return { ...(await this.#runWith(use, { planned: own, ports, inbox })), opened }
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  async #runWith(use: Attempt, { planned, ports, inbox }: Omit<Started, "run">): Promise<Done> {
    const found =
      planned.plan === undefined ? { inputs: planned.inputs } : this.#findInputs(planned, use, ports)
    if (found === "unresolved") {
      this.#skip(use, found, ports)
      return { status: "skipped", results: new Map() }
    }
    const run = this.#start(
      use,
      { environments: planned.environments, inputs: found.inputs, ports },
      use.tracing,
    )
    const stop = inbox?.watch(run, use.emit)
    const started = { run, planned, ports, inbox }
    const { status, error, results, durationMs } = await this.#perform(use, found, started)
    await stop?.()
    const mayRetry = use.mayRetry && ports.generated?.hasRetry !== false
    const isRetried = status === "failed" && mayRetry && !this.#signal.aborted
    // Avoids a spread, which creates a hidden class per run. Only a major collection frees it.
    const end: RunEnd = { type: "run.finished", run, status, durationMs }
    if (error !== undefined) end.error = error
    if (isRetried) end.isRetried = true
    if (status === "passed") noteFlaky(end, use)
    use.emit(end)
    this.worst = worstStatus(this.worst, end)
    return { status, results, isRetried }
  }

  /** Performs a run that has started. Never rejects, so that every run that starts also ends. */
  async #perform(
    use: Attempt,
    found: FoundInputs,
    started: Started,
  ): Promise<Outcome & { readonly durationMs: number }> {
    const { run, planned, ports } = started
    const { recorders, bugs } = this.#request
    try {
      const startedAt = ports.clock.elapsed()
      const warnings = planned.problems.filter(({ severity }) => severity === "warning")
      for (const warning of [...warnings, ...tlsWarnings(planned)])
        use.emit({ type: "warning.raised", run, warning })
      if (use.recorder !== undefined) recorders.set(run, use.recorder)
      const outcome = await this.#outcomeOf(use, found, started)
      if (outcome.status === "failed") this.#explainNoRetry(use, run)
      return { ...outcome, durationMs: roundMs(ports.clock.elapsed() - startedAt) }
    } catch (error) {
      return { status: "error", error: runErrorOf(bugs.note(error)), results: new Map(), durationMs: 0 }
    } finally {
      recorders.delete(run)
    }
  }

  async #outcomeOf(
    use: Attempt,
    found: FoundInputs,
    { run, planned, ports, inbox }: Started,
  ): Promise<Outcome> {
    const { plan, problems, isRead } = planned
    if (found.bug !== undefined) throw found.bug.error
    const results: BlockResults = new Map()
    if (plan === undefined) return { status: "error", error: errorOf(problems), results }
    if (use.row?.ok === false) return { status: "error", error: errorOf([use.row.problem]), results }
    if (found.problem !== undefined) return { status: "failed", error: errorOf([found.problem]), results }
    const { options, outlet, found: secrets } = this.#request
    const { results: before, onResults } = options
    let kept: Outcome["results"] = results
    const keep: RunRequest["onResults"] = (all) => {
      kept = all.results
      onResults?.({ ...all, secrets: [...(before?.secrets ?? []), ...secrets] })
    }
    const isKept = onResults !== undefined || isRead
    const outcome = await runPlan({
      plan,
      inputs: found.inputs,
      secretInputs: found.secretInputs,
      ports,
      signal: use.role === "finally" ? this.#cleanup : this.#signal,
      run,
      templates: this.#templates(plan),
      requests: this.#request.requests,
      baseline: this.#request.baseline,
      emit: use.emit,
      outlet,
      bugs: this.#request.bugs,
      tracing: use.tracing,
      inbox,
      before,
      onResults: isKept ? keep : undefined,
    })
    return { ...outcome, results: kept }
  }

  #openPorts({ entry, role, place }: Use): Ports {
    const { ports, schedule } = this.#request
    const { workflow, name } = entry
    const inSuite = schedule.name === undefined ? {} : { entry: name, role }
    if (ports.forRun !== undefined) return ports.forRun({ workflow, ...inSuite, ...place })
    // The first run may continue the sessions of an earlier one.
    return this.#runs === 0 ? ports : { ...ports, http: ports.http.withOwnCookies() }
  }

  #findInputs(planned: PlannedEntry, use: Use, ports: Ports): FoundInputs | "unresolved" {
    try {
      return this.#inputsOf(planned, use, ports)
    } catch (error) {
      return { inputs: planned.inputs, bug: { error } }
    }
  }

  /** Resolves the inputs with placeholders. Returns "unresolved" for cleanup after a block that made nothing. */
  #inputsOf(planned: PlannedEntry, { role, around, row }: Use, ports: Ports): FoundInputs | "unresolved" {
    const { entry, environments, inputs, plan } = planned
    const tokens = tokenInputs(entry.inputs)
    if ((tokens.size === 0 && row?.ok !== true) || plan === undefined) return { inputs }
    const { outlet, options } = this.#request
    const results = new Map([...this.#before, ...(around ?? [])])
    const workflow = { version: 1, blocks: [] } as const
    const holdsSecret = outlet.secrets.occursIn
    const scope = {
      ...createRunScope({
        inputs: new Map(),
        environments,
        workflow,
        holdsSecret,
        ...undecidable(options, outlet.secrets),
      }),
      results,
    }
    const given: Record<string, JsonValue> = Object.fromEntries(inputs)
    const secretInputs = new Set<string>()
    for (const name of tokens) {
      const expanded = expandJson(ownOf(entry.inputs, name) ?? null, {
        scope,
        dynamic: inputValuesOf(name, ports),
      })
      if (!expanded.ok) {
        if (role === "finally" && readsNothing(ownOf(entry.inputs, name) ?? null, around, this.#before))
          return "unresolved"
        return { inputs, problem: inputProblem(name, expanded.finding.message) }
      }
      if (expanded.isSecret) secretInputs.add(name)
      setOwn(given, name, asInput(expanded.value, ownOf(plan.workflow.inputs, name)?.type))
      for (const secret of inputSecrets(name, expanded.value)) outlet.keepSecret(secret.value, secret.name)
    }
    for (const [name, value] of row?.ok === true ? Object.entries(row.row.inputs) : []) {
      setOwn(given, name, value)
      for (const secret of inputSecrets(name, value)) outlet.keepSecret(secret.value, secret.name)
    }
    const settled = settleInputs(plan.workflow, given)
    return { inputs: settled.inputs, secretInputs, problem: settled.problems[0] }
  }

  #start(
    { entry, role, place, emit }: Use,
    { environments, inputs, ports }: RunStart,
    tracing?: RunTracing,
  ): number {
    const { name: suite } = this.#request.schedule
    const run = this.#runs++
    emit({
      type: "run.started",
      run,
      workflow: entry.workflow,
      ...(suite === undefined ? {} : { suite, entry: entry.name, role }),
      ...place,
      startedAt: new Date(ports.clock.now()).toISOString(),
      environments: Object.fromEntries(
        [...environments].map(([api, environment]) => {
          const { name, level, service } = environment
          const document = this.#planned(entry).plan?.apis.get(api)?.document
          const bound = { name, level, ...shownBaseUrl(environment, document) }
          return [api, service === undefined ? bound : { ...bound, service }]
        }),
      ),
      inputs: Object.fromEntries(inputs),
      ...(ports.generated === undefined ? {} : { recorded: recordedRun(ports.generated, environments) }),
      ...(tracing === undefined ? {} : { trace: tracing.view }),
    })
    for (const warning of run === 0 ? this.#request.warnings : [])
      emit({ type: "warning.raised", run, warning })
    return run
  }

  #explainNoRetry({ entry, emit }: Use, run: number): void {
    const methods = this.#unsafeMethods(entry)
    if (methods.length === 0) return
    const isSuite = this.#request.schedule.name !== undefined
    const warning = toProblem(messages["retry-unsafe"].methods(entry.name, methods, isSuite))
    emit({ type: "warning.raised", run, warning })
  }
}

interface Attempt extends Use {
  readonly mayRetry: boolean
  /** The previous attempt, which failed. */
  readonly failed: AttemptRecorder | undefined
  readonly recorder: AttemptRecorder | undefined
  readonly tracing?: RunTracing | undefined
}

const rowPlace = (row: RowOrProblem | undefined): RunPlace => (row?.ok === true ? { row: row.row.row } : {})

interface FoundInputs {
  readonly inputs: Inputs
  readonly secretInputs?: ReadonlySet<string>
  readonly problem?: Problem | undefined
  /** An unexpected error, which ends the run as soon as it has started. */
  readonly bug?: { readonly error: unknown }
}

interface Outcome extends Done {
  readonly status: SessionStatus
  readonly error?: RunError
}

type Environments = ReadonlyMap<string, ResolvedEnvironment>

/** A run that has started. `planned` has the addresses of its services. */
interface Started {
  readonly run: number
  readonly planned: PlannedEntry
  readonly ports: Ports
  readonly inbox?: RunInbox | undefined
}

function needsServices({ plan, environments }: PlannedEntry): boolean {
  if (plan === undefined) return false
  for (const { service } of environments.values()) if (service !== undefined) return true
  return false
}

interface RunStart {
  readonly environments: Environments
  readonly inputs: Inputs
  readonly ports: Ports
}

/** Returns the facts that are needed to repeat the run. */
function recordedRun({ seed }: Generated, environments: Environments): RecordedRun {
  const variables = Object.fromEntries(
    [...environments].flatMap(([api, environment]) => {
      // A replay has services of its own, at the recorded addresses.
      const ofService = environment.service === undefined ? undefined : "baseUrl"
      const given = [...environment.variables.values()].flatMap(({ name, value, from, declaration }) => {
        // A mock accepts any credential, so a run may have set one that no source has.
        const isGiven = from === "override" || from === "process" || from === "none"
        const isShown = isGiven && declaration.secret !== true && name !== ofService
        return isShown && value !== undefined ? [[name, value] as const] : []
      })
      return given.length === 0 ? [] : [[api, Object.fromEntries(given)] as const]
    }),
  )
  return Object.keys(variables).length === 0 ? { seed } : { seed, variables }
}

/** Returns the dynamic values of an entry's input. */
function inputValuesOf(name: string, { generated, clock, random }: Ports): DynamicValues {
  return generated === undefined
    ? { clock, random }
    : { clock, random: createSeededRandom(generated.seed, name) }
}

type RunEnd = { -readonly [K in keyof EventOf<"run.finished">]: EventOf<"run.finished">[K] }

function noteFlaky(end: RunEnd, { failed, recorder }: Attempt): void {
  if (failed === undefined || recorder === undefined) return
  end.flaky = true
  const differs = differenceOf(failed.exchanges(), recorder.exchanges())
  if (differs !== undefined) end.differs = differs
}

function asBlock(name: string, results: BlockResults): BlockResult {
  const known = [...results].filter(([, result]) => result.isMissing !== true)
  const value = Object.fromEntries(known.map(([id, result]) => [id, result.value]))
  const unknown = known.flatMap(([id, { isUnknown = false }]) => (isUnknown === false ? [] : [id]))
  return { value, rawId: name, outlives: false, isUnknown: unknown.length > 0 && new Set(unknown) }
}

/**
 * Returns whether a value reads a block that never ran, or what the refusal of its request doesn't have, in the entry to
 * clean up after or in an entry of `before`. Such a block made nothing that could be cleaned up.
 */
function readsNothing(value: JsonValue, around: BlockResults | undefined, before: BlockResults): boolean {
  const paths = valueStrings(value, []).flatMap(({ text }) => {
    const template = parseTemplateOnce(text)
    return template.ok ? tokensOf(template.parts).map(({ inner }) => inner[0]) : []
  })
  return paths.some((path) => {
    const parsed = typeof path === "string" ? parsePathOnce(path) : undefined
    if (parsed?.ok !== true) return false
    const [name, ...inside] = parsed.segments
    const [block] = inside
    if (name === "env" || name.startsWith("$")) return false
    const own = around?.get(name)
    if (own !== undefined) return own.isMissing === true || isRefused(own.value, inside)
    const entry = before.get(name)
    if (entry === undefined || block === undefined) return entry === undefined
    return !Object.hasOwn(entry.value, block) || isRefused(ownOf(entry.value, block), inside.slice(1))
  })
}

/** Returns whether the server refused the request of a block, and its response doesn't have the value at `path`. */
function isRefused(result: JsonValue | undefined, path: readonly string[]): boolean {
  const status = member(member(result, "response"), "status")
  if (typeof status !== "number" || status < 400) return false
  const at = (value: JsonValue | undefined, step: string): JsonValue | undefined =>
    Array.isArray(value) ? value[Number(step)] : member(value, step)
  return path.reduce(at, result) === undefined
}

/** Converts a scalar to text if the input is a string, like a placeholder inside a longer text. */
const asInput = (value: JsonValue, type: InputDeclaration["type"] | undefined): JsonValue =>
  type === "string" && typeof value !== "object" ? toText(value) : value

const inputProblem = (name: string, message: string): Problem =>
  toProblem(messages["input-missing"].unresolved(name, message))

function tlsWarnings({ environments }: PlannedEntry): readonly Problem[] {
  return [...environments.values()]
    .filter((environment) => !environment.verifyTls)
    .map(({ api, name }) => toProblem(messages["tls-unverified"].unverified(api, name)))
}

function errorOf(problems: readonly Problem[]): RunError {
  const errors = problems.filter((problem) => problem.severity === "error")
  const [first, ...more] = errors
  if (first === undefined) return { code: "usage", message: "the run could not start", problems: [] }
  const message =
    more.length === 0 ? formatProblem(first) : `${formatProblem(first)}, and ${more.length} more`
  return { code: first.code, message, problems: errors }
}
