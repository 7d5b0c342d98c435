// Runs the sessions of a command, one per project, and writes their reports.

import { resolve } from "node:path"
import {
  monotonicMs,
  recordGenerated,
  runSession,
  type InspectOptions,
  type LiveListener,
  type Ports,
  type SessionOptions,
} from "@callsheet/engine"
import type { Project, SessionStatus } from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import type { Shard } from "../args/shard.ts"
import { watchLimits } from "../commands/run-limits.ts"
import type { RunRequest } from "../commands/read-run-options.ts"
import { withInterrupts, type Interrupts } from "../interrupts.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { notices } from "../messages.ts"
import type { SessionJoin, SessionListeners } from "../projects/join-sessions.ts"
import type { RecordHeader } from "../record/lines.ts"
import type { OpenRecord } from "../record/write-record.ts"
import { printBugs, reportError } from "../report-error.ts"
import { reporters } from "../reporters/index.ts"
import { joinReporters, type JoinedReporter } from "../reporters/join.ts"
import { openLog, openReporters, printRunProblems } from "../reporters/open-reporters.ts"
import { refreshTypes } from "../script-types/scripted-workflows.ts"
import type { Screen } from "../screen.ts"
import type { OpenSnapshots } from "../snapshots/open-snapshots.ts"
import { printable } from "../text/printable.ts"
import type { WatchedRun } from "../watch/watch-runs.ts"
import { createFailedFold, type FailedEntry } from "./failed-entries.ts"
import type { ReadSession } from "./read-workflows.ts"
import { withPorts } from "./with-ports.ts"
import { mainNames } from "./main-names.ts"

/** What to run in one project. */
export interface ReadRun {
  readonly project: Project
  readonly workflows: readonly string[]
  readonly schedule: ReadSession["schedule"]
  readonly request: RunRequest
  readonly overrides: SessionOptions["overrides"]
  readonly snapshots: OpenSnapshots | undefined
  /** The time when the project was read, in milliseconds since 1970. */
  readonly readAt: number
  readonly shard: Shard | undefined
  /** Hears the project's events. */
  readonly listen?: LiveListener | undefined
  /** Called when the session is over. */
  readonly end?: () => Promise<void>
}

interface Watches {
  readonly watch?: LeakWatch | undefined
  readonly listen?: LiveListener | undefined
  readonly watched?: WatchedRun | undefined
  readonly record?: OpenRecord | undefined
  /** Set if the command runs several projects. */
  readonly join?: SessionJoin | undefined
  /** True if a project of the command could not be read. */
  readonly isIncomplete?: boolean
}

/** Never empty. */
type Runs = readonly [ReadRun, ...(readonly ReadRun[])]

/** Runs the sessions one after the other, keeps them in a record if the call asks for it, and returns the exit code. */
export async function runSessions(runs: Runs, call: CommandCall, watches: Watches): Promise<number> {
  const [first, ...others] = runs
  const place = first.request.record
  if (place === undefined) return execute(runs, call, watches)
  const { openProjectsRecord, openRunRecord, withRecordLock } = await import("../record/open-record.ts")
  const { join } = watches
  return withRecordLock(place, () => {
    const subject = { command: commandOf(runs), seed: first.request.session.seed }
    if (join === undefined) {
      const { record, project } = openRunRecord(place, { ...first, ...subject })
      return execute([{ ...first, project }, ...others], call, { ...watches, record })
    }
    const projects = runs.map((run) => ({ ...run, name: join.nameOf(run.project.root) }))
    return execute(runs, call, { ...watches, record: openProjectsRecord(place, { ...subject, projects }) })
  })
}

/** The selection that a record names. */
function commandOf(runs: Runs): RecordHeader["command"] {
  const [{ schedule, request }] = runs
  const { inputs = {}, onFailure, part } = request.session
  const named = runs.flatMap(
    ({ shard, workflows }) => shard?.all().map(({ workflow }) => workflow) ?? workflows,
  )
  return {
    suite: schedule?.name,
    workflows: schedule === undefined ? [...new Set(named)] : [],
    inputs: Object.keys(inputs),
    onFailure,
    until: part !== undefined && "until" in part ? part.until : undefined,
  }
}

async function execute(runs: Runs, call: CommandCall, watches: Watches): Promise<number> {
  const { watch, record, join, isIncomplete = false } = watches
  const [{ project, request }] = runs
  const { screen } = call
  const startedAt = monotonicMs()
  const place = {
    root: join?.root ?? project.root,
    processEnvironment: call.environment,
    screen,
    watch,
  }
  const joined = await openReporters(request, place)
  const log = record?.log ?? (await openLog(joined))
  const all = record === undefined ? joined : [joinRecord(record, request, watch), ...joined]
  let broken = 0
  const reporting = joinReporters(all, (name, error) => {
    broken = 2
    screen.err.write(`${notices.reporterFailed(name)}\n`)
    reportError(error, { output: screen.err, debug: call.options.has("debug") })
  })
  const listen = [
    watch?.hear,
    watches.listen,
    printRunProblems(request.reporters, screen),
    log?.append,
    reporting.listen,
  ].filter(isListener)
  return withInterrupts(call.exit, async (interrupts) => {
    const { exitCode } = interrupts
    const shared = { listen, listenEnded: reporting.listenEnded, watch: reporting.watch }
    const ended = await runEach(runs, call, { ...watches, shared, interrupts }).catch((error: unknown) => {
      reporting.discard()
      throw error
    })
    const ofAll = (list: (each: EndedSession["limits"]) => readonly string[] | string | undefined) =>
      ended.flatMap(({ run, limits }) => {
        const own = [list(limits) ?? []].flat()
        return join === undefined ? own : own.map((text) => `${join.nameOf(run.project.root)}: ${text}`)
      })
    const verdicts = ofAll((limits) => limits.exceeded())
    const missed = [...ofAll((limits) => limits.shortfall()), ...verdicts]
    const worst = Math.max(isIncomplete ? 2 : 0, ...ended.map(({ status }) => exitCodes[status]))
    const code = exitCode() ?? Math.max(worst, missed.length === 0 ? 0 : 1)
    const isComplete =
      verdicts.length === 0 && !isIncomplete && !ended.some(({ isRefused }) => isRefused === true)
    const verdict = isComplete ? undefined : "failed"
    await reporting.finish(log ?? [], { exitCode: code, durationMs: monotonicMs() - startedAt, verdict })
    for (const { limits } of ended) limits.printLeftovers()
    if (exitCode() !== undefined) screen.err.write(`${notices.interrupted()}\n`)
    for (const text of missed) screen.err.write(`${printable(text)}\n`)
    for (const each of ended) broken = Math.max(broken, await keepResults(each, call, watches, exitCode()))
    return exitCode() ?? Math.max(code, broken)
  })
}

interface Running extends Watches {
  readonly shared: SessionListeners
  readonly interrupts: Interrupts
}

interface EndedSession {
  readonly run: ReadRun
  readonly status: SessionStatus
  readonly limits: ReturnType<typeof watchLimits>
  readonly failed: readonly FailedEntry[]
  /** True if the session could not start. */
  readonly isRefused?: boolean
}

/** Runs every session. Of several, one that can't start doesn't keep the others from it. */
async function runEach(runs: Runs, call: CommandCall, running: Running): Promise<readonly EndedSession[]> {
  const { join, shared, interrupts } = running
  if (join === undefined) return [await runOne(runs[0], call, running)]
  const ended: EndedSession[] = []
  const errors: unknown[] = []
  for (const run of runs) {
    if (interrupts.signal.aborted || isBailed(run, ended)) break
    const { root } = run.project
    try {
      ended.push(await runOne(run, call, { ...running, shared: join.open(root, shared) }))
    } catch (error) {
      errors.push(join.placeError(root, error))
      const limits = watchLimits(run.request, call.screen)
      ended.push({ run, status: "error", limits, failed: [], isRefused: true })
    }
  }
  if (errors.length === runs.length) throw errors[0]
  for (const error of errors)
    reportError(error, { output: call.screen.err, debug: call.options.has("debug") })
  join.finish(shared)
  return ended
}

const isBailed = ({ request: { session } }: ReadRun, ended: readonly EndedSession[]): boolean =>
  session.bail !== undefined && ended.filter(({ status }) => status !== "passed").length >= session.bail

async function runOne(
  run: ReadRun,
  call: CommandCall,
  { shared, interrupts, join, ...watches }: Running,
): Promise<EndedSession> {
  const { project, request, schedule } = run
  const limits = watchLimits(request, call.screen)
  const { failed, ...fold } = createFailedFold(schedule)
  const untraced = request.session.trace === true ? sayUntraced(call.screen) : undefined
  const own = [limits.listen, fold.listen, untraced, run.snapshots?.listen, run.listen]
  const session = {
    ...run,
    ...shared,
    listen: [...shared.listen, ...own].filter(isListener),
    readAllEnvironments: () => join?.readAllEnvironments() ?? readAllEnvironments(project),
    options: {
      ...sessionOptions(run, call, interrupts.signal),
      overrides: run.overrides,
      onSecrets: hearSecrets(watches),
    },
  }
  const status = await withPorts(worldOf(project.root, request, call), (ports) =>
    runSession({
      ...session,
      ports: portsOf(run, watches.record === undefined ? ports : recordGenerated(ports)),
    }),
  )
  return { run, status, limits, failed: failed() }
}

/** Keeps what a session found for later commands. Returns the exit code. */
async function keepResults(
  { run, failed, isRefused = false }: EndedSession,
  call: CommandCall,
  { watch, watched }: Watches,
  interruption: number | undefined,
): Promise<number> {
  if (isRefused) return 2
  const code = interruption === undefined ? await storeSnapshots(run, call, watch) : 0
  await keepSession(run, call, { watched, failed })
  if (interruption === undefined) await refreshTypes(run.project, run.workflows, run.readAt)
  await run.end?.()
  return code
}

/** Returns a listener that names each production environment, whose requests are not traced. */
function sayUntraced({ err }: Screen): LiveListener {
  const said = new Set<string>()
  return (event) => {
    if (event.type !== "run.started" || event.trace === undefined) return
    for (const [api, { name, level }] of Object.entries(event.environments)) {
      const notice = notices.untraced(api, name)
      if (level === "production" && said.size < said.add(notice).size) err.write(`${printable(notice)}\n`)
    }
  }
}

const portsOf = ({ snapshots }: ReadRun, ports: Ports): Ports => snapshots?.usePorts(ports) ?? ports

/** Stores what the session received, and prints what changed. Returns the exit code. */
async function storeSnapshots(
  { project, snapshots }: ReadRun,
  { screen, options }: CommandCall,
  watch: LeakWatch | undefined,
): Promise<number> {
  if (snapshots?.store === undefined) return 0
  const { storedLines } = await import("../snapshots/open-snapshots.ts")
  try {
    const stored = await snapshots.store()
    for (const file of stored.written) watch?.keep(file, resolve(project.root, file))
    for (const line of storedLines(stored)) screen.err.write(`${printable(line)}\n`)
    return 0
  } catch (error) {
    return reportError(error, { output: screen.err, debug: options.has("debug") })
  }
}

const isListener = (listener: LiveListener | undefined): listener is LiveListener => listener !== undefined

const hearSecrets =
  ({ watch, record }: Watches): SessionOptions["onSecrets"] =>
  (secrets) => {
    watch?.onSecrets(secrets)
    record?.onSecrets(secrets)
  }

/** Keeps the names of the failed entries for `--last-failed`. */
async function keepSession(
  run: ReadRun,
  call: CommandCall,
  { watched, failed }: Pick<Watches, "watched"> & { readonly failed: readonly FailedEntry[] },
): Promise<void> {
  const { keepLastSession } = await import("../session/last-session.ts")
  const all = watched?.merge(mainNames(run), failed) ?? failed
  keepLastSession(run.project.root, call, { suite: run.schedule?.name, failed: all })
}

function joinRecord(
  { reporter, file }: OpenRecord,
  { record }: RunRequest,
  watch?: LeakWatch,
): JoinedReporter {
  return {
    name: "record",
    onEvent: reporter.onEvent,
    finish: (_events, end) => reporter.finish(end),
    file: watch?.file(file, record?.shown ?? "") ?? file,
  }
}

const exitCodes: { readonly [S in SessionStatus]: number } = { passed: 0, failed: 1, error: 2 }

function sessionOptions(
  { project, request, snapshots }: ReadRun,
  call: CommandCall,
  signal: AbortSignal,
): SessionOptions {
  const rows = request.reporters.map(({ name }) => reporters[name])
  return {
    ...request.session,
    processEnvironment: call.environment,
    exchanges:
      snapshots?.options.exchanges === true ||
      request.exchanges !== undefined ||
      request.record !== undefined ||
      request.leftovers !== undefined ||
      rows.some(({ needsExchanges }) => needsExchanges === true),
    coverage:
      snapshots?.options.coverage === true ||
      request.record !== undefined ||
      request.coverageMin !== undefined ||
      request.leftovers !== undefined ||
      rows.some(({ needsCoverage }) => needsCoverage === true),
    leftovers: request.leftovers !== undefined,
    strict: request.maxWarnings === 0,
    signal,
    onBug: printBugs(call),
    confirm: confirmation(request, call, signal),
    login: request.login || call.screen.isInteractive ? loginPage(project.root, call) : undefined,
  }
}

const worldOf = (root: string, request: RunRequest, call: CommandCall): Parameters<typeof withPorts>[0] => ({
  root,
  concurrency: request.session.concurrency,
  processEnvironment: call.environment,
  scriptEntry: call.scriptEntry,
  inspectScripts: inspection(request, call),
})

/** Returns how to debug scripts. The first line of output copies Node's, because editors look for it. */
function inspection({ inspectPort: port }: RunRequest, { screen }: CommandCall): InspectOptions | undefined {
  if (port === undefined) return undefined
  const onWaiting = (address: string): void => {
    const { host } = new URL(address)
    screen.err.write(`Debugger listening on ${address}\n${notices.waitingForDebugger(host)}\n`)
  }
  return { port, onWaiting }
}

/** Returns how to show the login page: as a line on standard error, and in $BROWSER. */
const loginPage =
  (root: string, { screen, environment }: CommandCall) =>
  (url: string): void => {
    screen.err.write(`${notices.login()}\n${printable(url)}\n`)
    const [command, ...words] = (environment["BROWSER"] ?? "").split(" ").filter(Boolean)
    if (command === undefined) return
    void import("../open-browser.ts").then(({ openBrowser }) =>
      openBrowser({ command, words: [...words, url] }, { root, processEnvironment: environment }),
    )
  }

/** Returns how to confirm a run against production: with `--yes`, or by asking the user. */
function confirmation(
  request: RunRequest,
  { screen }: CommandCall,
  signal: AbortSignal,
): SessionOptions["confirm"] {
  if (request.yes) return true
  if (!screen.isInteractive) return undefined
  return async (production) => {
    const { askConfirmation } = await import("../session/confirm.ts")
    return askConfirmation(production, { output: screen.err, input: screen.input, signal })
  }
}
