// `callsheet run`: reads the project and the options, runs a session, and writes the reports.

import { resolve } from "node:path"
import { type LiveListener, type SessionOptions, withContracts, withDefaults } from "@callsheet/engine"
import { CallsheetError, toProblem, type Project } from "@callsheet/format"
import type { Command, CommandCall } from "../args/command.ts"
import type { Shard } from "../args/shard.ts"
import type { ChangedSelection } from "../changes/changed-since.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { printProblems, warnOfVisibleSecret } from "../report-error.ts"
import { findSeveral } from "../projects/each-project.ts"
import type { FoundProject } from "../projects/find-projects.ts"
import { isCi } from "../screen.ts"
import { scriptedWorkflows } from "../script-types/scripted-workflows.ts"
import type { SelectEntries } from "../session/last-session.ts"
import { readRun, type ReadSession } from "../session/read-workflows.ts"
import { runSessions, type ReadRun } from "../session/run-sessions.ts"
import type { OpenSnapshots } from "../snapshots/open-snapshots.ts"
import type { WatchedRun } from "../watch/watch-runs.ts"
import {
  readReporters,
  readRunOptions,
  readValues,
  type RunRequest,
  type VariableChoice,
} from "./read-run-options.ts"
import { mainNames } from "../session/main-names.ts"

export const run: Command = async (call) => {
  const given = readRunOptions(call.words, call.options, call.cwd)
  if (given.updatesBaseline && !given.force && isCi(call.environment))
    throw new CallsheetError(messages.usage.forceInCi("--update-baseline"))
  const found = await findSeveral(call)
  if (found !== undefined)
    return verified(call, (watched, watch) => performAll(watched, { given, found, watch }))
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

const runOnce = (call: CommandCall, asked: RunCall): Promise<number> =>
  verified(call, (watched, watch) => perform(watched, asked, watch))

/** Searches the output of a run for secrets if the call asks for it. */
async function verified(
  call: CommandCall,
  start: (call: CommandCall, watch: LeakWatch | undefined) => Promise<number>,
): Promise<number> {
  if (!call.options.has("verify-no-leak")) return start(call, undefined)
  const { runVerified } = await import("../leaks/run-verified.ts")
  return runVerified(call, start)
}

async function performAll(
  call: CommandCall,
  asked: { given: RunRequest; found: readonly FoundProject[]; watch: LeakWatch | undefined },
): Promise<number> {
  const { runProjects } = await import("../projects/run-projects.ts")
  return runProjects(call, asked, {
    read: (project, shard) => readSession(call, project, shard),
    prepare: (project, read) => prepare(call, project, read),
  })
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
  const { changed } = session
  if (changed !== undefined) {
    const { printSelection, sayChanged } = await import("../changes/print-selection.ts")
    sayChanged(changed, call)
    if (call.options.has("list")) return printSelection(session, changed, call)
  }
  const run = await prepare(call, asked, { session, shard, readAt })
  if (shard !== undefined && mainNames(session).length === 0)
    call.screen.err.write(`${notices.shardEmpty(shard.index, shard.count)}\n`)
  return runSessions([run], call, { ...asked, watch })
}

/** Checks the options that need the files of a run. */
async function prepare(
  call: CommandCall,
  { given, validatesContracts }: RunCall,
  { session, shard, readAt }: Pick<ReadRun, "shard" | "readAt"> & { readonly session: ReadSession },
): Promise<ReadRun> {
  const { workflows, schedule } = session
  const project = validatesContracts === true ? withContracts(session.project) : session.project
  const request = await withSettings(given, project)
  warnOfVisibleSecrets(project, request.variables, call)
  if (request.inspectPort !== undefined) warnOfNoScripts(project, workflows, call)
  const snapshots = await openRunSnapshots(session, { project, request, call })
  const overrides = await readValues(request.variables)
  const run = { project, workflows, schedule, request, overrides, readAt, snapshots, shard }
  if (!request.updatesBaseline) return run
  const { keepViolations } = await import("../baseline/add-violations.ts")
  const { listen, add } = keepViolations()
  return { ...run, listen, end: () => add(project, call.screen.err) }
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

function warnOfNoScripts(project: Project, workflows: readonly string[], { screen }: CommandCall): void {
  if (scriptedWorkflows(project, workflows).length > 0) return
  printProblems([toProblem(messages.usage.noScriptsToInspect())], screen.err)
}

/** Limits the selection to workflows that failed in the last session. Without a selection, uses the last session's. */
async function lastFailed({ selection }: RunRequest, root: string, call: CommandCall) {
  const { createSelectFailed, readLastSession } = await import("../session/last-session.ts")
  const session = readLastSession(root, call)
  const select = createSelectFailed(session, (problem) => printProblems([problem], call.screen.err))
  return { ...selection, suite: selection.isSelected ? selection.suite : session.suite, select }
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
