// `callsheet run`: reads the project and the options, runs a session, and writes the reports.

import { resolve } from "node:path"
import {
  monotonicMs,
  recordGenerated,
  runSession,
  type InspectOptions,
  type LiveListener,
  type Ports,
  type SessionOptions,
  withContracts,
  withDefaults,
} from "@callsheet/engine"
import { CallsheetError, toProblem, type Project, type SessionStatus } from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { createFailedFold, type FailedEntry } from "../session/failed-entries.ts"
import { withInterrupts } from "../interrupts.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import type { ChangedSelection } from "../changes/changed-since.ts"
import type { OpenSnapshots } from "../snapshots/open-snapshots.ts"
import type { SelectEntries } from "../session/last-session.ts"
import { readRun, type ReadSession } from "../session/read-workflows.ts"
import type { OpenRecord } from "../record/write-record.ts"
import type { WatchedRun } from "../watch/watch-runs.ts"
import { printBugs, printProblems, reportError, warnOfVisibleSecret } from "../report-error.ts"
import { reporters } from "../reporters/index.ts"
import type { Shard } from "../args/shard.ts"
import { joinReporters, type JoinedReporter } from "../reporters/join.ts"
import { openLog, openReporters, printRunProblems } from "../reporters/open-reporters.ts"
import { refreshTypes, scriptedWorkflows } from "../script-types/scripted-workflows.ts"
import { isCi, type Screen } from "../screen.ts"
import { printable } from "../text/printable.ts"
import { withPorts } from "../session/with-ports.ts"
import { watchLimits } from "./run-limits.ts"
import {
  readReporters,
  readRunOptions,
  readValues,
  type RunRequest,
  type VariableChoice,
} from "./read-run-options.ts"

export const run: Command = async (call) => {
  const given = readRunOptions(call.words, call.options, call.cwd)
  if (given.updatesBaseline && !given.force && isCi(call.environment))
    throw new CallsheetError(messages.usage.forceInCi("--update-baseline"))
  const root = await openRoot(call)
  const asked = { given, root }
  if (!call.options.has("watch") || call.options.has("list")) return runOnce(call, asked)
  const { watchRuns } = await import("../watch/watch-runs.ts")
  return watchRuns(call, {
    ...asked,
    read: () => readSession(call, asked),
    run: (watched) => runOnce(call, { ...asked, watched }),
  })
}

interface RunCall {
  readonly given: RunRequest
  readonly root: string
  readonly watched?: WatchedRun
  /** Hears every event. */
  readonly listen?: LiveListener
  /** True to check contracts even in workflows that don't. */
  readonly validatesContracts?: boolean
}

/** Runs workflows for another command, with the options of `run`. Returns the exit code. */
export const runWorkflows = (call: CommandCall, asked: Omit<RunCall, "given">): Promise<number> =>
  perform(call, { ...asked, given: readRunOptions(call.words, call.options, call.cwd) })

async function runOnce(call: CommandCall, asked: RunCall): Promise<number> {
  if (!call.options.has("verify-no-leak")) return perform(call, asked)
  const { runVerified } = await import("../leaks/run-verified.ts")
  return runVerified(call, (verified, watch) => perform(verified, asked, watch))
}

/** Reads the files of what the call selects and, if it is watched, of what has to run. */
async function readSession(
  call: CommandCall,
  { given, root, watched }: RunCall,
  shard?: Shard,
): Promise<ReadSession & { readonly changed: ChangedSelection | undefined }> {
  const named = [...Object.keys(given.session.environments ?? {}), ...given.variables.map(({ api }) => api)]
  const selection = given.selection.lastFailed ? await lastFailed(given, root, call) : given.selection
  const { data } = given.session
  const all: Parameters<typeof readRun>[0] = { ...selection, root, cwd: call.cwd, named, data }
  const since = given.selection.changedSince
  const changed =
    since === undefined ? undefined : await selectSince(since, await readRun(all), { call, root, data })
  const names = watched?.names
  const hasToRun: SelectEntries | undefined =
    names && ((entries) => entries.filter(({ name }) => names.has(name)))
  const read = await readRun({
    ...all,
    select: inTurn([changed?.select, all.select, hasToRun, shard?.select]),
  })
  const project = watched?.note(read.project) ?? read.project
  return { ...read, project, changed }
}

interface SessionPlace {
  readonly call: CommandCall
  readonly root: string
  readonly data: SessionOptions["data"]
}

async function selectSince(since: string, session: ReadSession, { call, root, data }: SessionPlace) {
  const { selectChanged } = await import("../changes/changed-since.ts")
  const file = data === undefined ? undefined : resolve(data.cwd ?? root, data.path)
  return selectChanged(since, { call, root, data: file, session })
}

/** Joins selections: each receives what the one before it has left. Undefined without any. */
function inTurn(selections: readonly (SelectEntries | undefined)[]): SelectEntries | undefined {
  const given = selections.filter((select) => select !== undefined)
  if (given.length === 0) return undefined
  return (entries, known, suite) => given.reduce((left, select) => select(left, known, suite), entries)
}

async function perform(call: CommandCall, asked: RunCall, watch?: LeakWatch): Promise<number> {
  const { given } = asked
  const readAt = Date.now()
  const shard = given.shard && (await (await import("../args/shard.ts")).createShard(given.shard))
  const session = await readSession(call, asked, shard)
  const { project: written, workflows, schedule, changed } = session
  if (changed !== undefined) {
    const { printSelection, sayChanged } = await import("../changes/print-selection.ts")
    const isList = call.options.has("list")
    if (!isList || !call.options.has("json")) sayChanged(changed, call)
    if (isList) return printSelection(session, changed, call)
  }
  const project = asked.validatesContracts === true ? withContracts(written) : written
  const request = await withSettings(given, project)
  warnOfVisibleSecrets(project, request.variables, call)
  if (request.inspectPort !== undefined) warnOfNoScripts(project, workflows, call)
  const snapshots = await openRunSnapshots(session, { project, request, call })
  const overrides = await readValues(request.variables)
  const run = { project, workflows, schedule, request, overrides, readAt, snapshots }
  if (shard !== undefined && (schedule?.main ?? workflows).length === 0)
    call.screen.err.write(`${notices.shardEmpty(shard.index, shard.count)}\n`)
  if (!request.updatesBaseline) return record(run, call, { ...asked, watch, shard })
  const { keepViolations } = await import("../baseline/add-violations.ts")
  const violations = keepViolations()
  const code = await record(run, call, { ...asked, watch, shard, listen: violations.listen })
  await violations.add(project, call.screen.err)
  return code
}

/** Runs, and keeps the run in a file if the call asks for it. */
async function record(
  run: ReadRun,
  call: CommandCall,
  { watch, watched, listen, shard }: Watches & { readonly shard: Shard | undefined },
): Promise<number> {
  const { project, workflows, schedule, request } = run
  if (request.record === undefined) return execute(run, call, { watch, watched, listen })
  const place = request.record
  const { openRunRecord, withRecordLock } = await import("../record/open-record.ts")
  return withRecordLock(place, () => {
    const { seed, inputs = {}, onFailure, part } = request.session
    const named = shard?.all().map(({ workflow }) => workflow) ?? workflows
    const command = {
      suite: schedule?.name,
      workflows: schedule === undefined ? named : [],
      inputs: Object.keys(inputs),
      onFailure,
      until: part !== undefined && "until" in part ? part.until : undefined,
    }
    const opened = openRunRecord(place, { project, command, seed, shard, schedule })
    const recorded = { ...run, project: opened.project }
    return execute(recorded, call, { watch, watched, listen, record: opened.record })
  })
}

interface ReadRun {
  readonly project: Project
  readonly workflows: readonly string[]
  readonly schedule: ReadSession["schedule"]
  readonly request: RunRequest
  readonly overrides: SessionOptions["overrides"]
  readonly snapshots: OpenSnapshots | undefined
  /** The time when the project was read, in milliseconds since 1970. */
  readonly readAt: number
}

interface Watches {
  readonly watch?: LeakWatch | undefined
  readonly listen?: LiveListener | undefined
  readonly watched?: WatchedRun | undefined
  readonly record?: OpenRecord | undefined
}

async function execute(planned: ReadRun, call: CommandCall, watches: Watches): Promise<number> {
  const { watch, watched, record } = watches
  const { project, workflows, request, readAt } = planned
  const { screen } = call
  const startedAt = monotonicMs()
  const place = { root: project.root, processEnvironment: call.environment, screen, watch }
  const joined = await openReporters(request, place)
  const log = record?.log ?? (await openLog(joined))
  const all = record === undefined ? joined : [joinRecord(record, request, watch), ...joined]
  let broken = 0
  const reporting = joinReporters(all, (name, error) => {
    broken = 2
    screen.err.write(`${notices.reporterFailed(name)}\n`)
    reportError(error, { output: screen.err, debug: call.options.has("debug") })
  })
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    const limits = watchLimits(request, screen)
    const { failed, ...fold } = createFailedFold(planned.schedule)
    const printProblem = printRunProblems(request.reporters, screen)
    const untraced = request.session.trace === true ? sayUntraced(screen) : undefined
    const own = [printProblem, limits.listen, fold.listen, untraced, log?.append, reporting.listen]
    const listen = [watch?.hear, watches.listen, ...own, planned.snapshots?.listen].filter(isListener)
    const session = {
      ...planned,
      listen,
      listenEnded: reporting.listenEnded,
      watch: reporting.watch,
      readAllEnvironments: () => readAllEnvironments(project),
      options: {
        ...sessionOptions(planned, call, signal),
        overrides: planned.overrides,
        onSecrets: hearSecrets(watches),
      },
    }
    const status = await withPorts(worldOf(project.root, request, call), (ports) =>
      runSession({
        ...session,
        ports: portsOf(planned, record === undefined ? ports : recordGenerated(ports)),
      }),
    ).catch((error: unknown) => {
      reporting.discard()
      throw error
    })
    const verdicts = limits.exceeded()
    const missed = [limits.shortfall() ?? [], verdicts].flat()
    const code = exitCode() ?? Math.max(exitCodes[status], missed.length === 0 ? 0 : 1)
    const verdict = verdicts.length === 0 ? undefined : "failed"
    await reporting.finish(log ?? [], { exitCode: code, durationMs: monotonicMs() - startedAt, verdict })
    limits.printLeftovers()
    if (exitCode() !== undefined) screen.err.write(`${notices.interrupted()}\n`)
    for (const text of missed) screen.err.write(`${text}\n`)
    if (exitCode() === undefined) broken = Math.max(broken, await storeSnapshots(planned, call, watch))
    await keepSession(planned, call, { watched, failed: failed() })
    if (exitCode() === undefined) await refreshTypes(project, workflows, readAt)
    return exitCode() ?? Math.max(code, broken)
  })
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

async function openRunSnapshots(
  { workflows, schedule }: ReadSession,
  { project, request, call }: { project: Project; request: RunRequest; call: CommandCall },
): Promise<OpenSnapshots | undefined> {
  const { session: options, force } = request
  if (options.snapshots === undefined) return undefined
  const { openSnapshots } = await import("../snapshots/open-snapshots.ts")
  const processEnvironment = call.environment
  return openSnapshots(options.snapshots, {
    project,
    workflows,
    schedule,
    options,
    force,
    processEnvironment,
  })
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
  { project, workflows, schedule }: ReadRun,
  call: CommandCall,
  { watched, failed }: Pick<Watches, "watched"> & { readonly failed: readonly FailedEntry[] },
): Promise<void> {
  const { keepLastSession } = await import("../session/last-session.ts")
  const ran = schedule?.main.map(({ name }) => name) ?? workflows
  const all = watched?.merge(ran, failed) ?? failed
  keepLastSession(project.root, call, { suite: schedule?.name, failed: all })
}

/** Limits the selection to workflows that failed in the last session. Without a selection, uses the last session's. */
async function lastFailed({ selection }: RunRequest, root: string, call: CommandCall) {
  const { createSelectFailed, readLastSession } = await import("../session/last-session.ts")
  const session = readLastSession(root, call)
  const select = createSelectFailed(session, (problem) => printProblems([problem], call.screen.err))
  return { ...selection, suite: selection.isSelected ? selection.suite : session.suite, select }
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

/** Returns the request with the values of `defaults` in `callsheet.json` where the call sets no option. */
async function withSettings(given: RunRequest, project: Project): Promise<RunRequest> {
  const { settingsFile } = project
  const session = withDefaults(given.session, project)
  const isTraced = session.trace === true || session.trace === "production"
  if (given.collectors.length > 0 && !isTraced) throw new CallsheetError(messages.usage.collectorUntraced())
  if (settingsFile === undefined) return given
  const { reporters = [], maxWarnings } = settingsFile.settings?.defaults ?? {}
  const areGiven = given.hasReporters || reporters.length === 0
  const own = areGiven ? given : await readOwnReporters(reporters, project)
  const chosen = own.reporters
  if (given.exchanges !== undefined && !chosen.some(({ name }) => name === "pretty"))
    throw new CallsheetError(messages.usage.verboseDefaults(given.exchanges === "headers" ? "-v" : "-vv"))
  return {
    ...given,
    reporters: chosen,
    // Those that the file names wait for a traced run.
    collectors: isTraced ? own.collectors : [],
    maxWarnings: given.maxWarnings ?? maxWarnings,
    session,
  }
}

/** Reads the reporters of `callsheet.json`. Throws all problems of their files. */
async function readOwnReporters(given: readonly string[], project: Project) {
  const { checkReporterFiles, ownPlace } = await import("../reporters/own-files.ts")
  const problems = checkReporterFiles(project)
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  const own = readReporters(given, (name, shown) => ownPlace(project.root, name, shown))
  return { ...own, collectors: own.collectors.map(({ url }) => ({ url, isOfProject: true })) }
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

function warnOfNoScripts(project: Project, workflows: readonly string[], { screen }: CommandCall): void {
  if (scriptedWorkflows(project, workflows).length > 0) return
  printProblems([toProblem(messages.usage.noScriptsToInspect())], screen.err)
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

export function warnOfVisibleSecrets(
  project: Project,
  choices: readonly VariableChoice[],
  { screen }: CommandCall,
) {
  for (const { api, name, value } of choices) {
    const isSecret = project.apis.get(api)?.environments.variables.get(name)?.secret === true
    if (value !== undefined && isSecret) warnOfVisibleSecret(`--var ${api}.${name}`, screen.err)
  }
}
