// `callsheet run`: reads the project and the options, runs a session, and writes the reports.

import {
  monotonicMs,
  runSession,
  type CompleteListeners,
  type InspectOptions,
  type LiveListener,
  type SessionOptions,
  withDefaults,
} from "@callsheet/engine"
import {
  createCoverageFold,
  formatProblem,
  toProblem,
  type Leftover,
  type Listener,
  type Problem,
  type Project,
  type RunEvent,
  type SessionStatus,
  Warnings,
} from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { createFailedFold } from "../failed-entries.ts"
import { withInterrupts } from "../interrupts.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { readRun } from "../read-workflows.ts"
import type { ReportFile } from "../report-file.ts"
import { printProblems, reportError, warnOfVisibleSecret } from "../report-error.ts"
import { reporters } from "../reporters/index.ts"
import { joinReporters, type JoinedReporter } from "../reporters/join.ts"
import type { Screen } from "../screen.ts"
import type { ReporterClock } from "../reporters/reporter.ts"
import { refreshTypes, scriptedWorkflows } from "../script-types/scripted.ts"
import { printable } from "../text/printable.ts"
import { withPorts } from "../with-ports.ts"
import {
  readReporters,
  readRunOptions,
  type ReporterChoice,
  type RunRequest,
  type VariableChoice,
} from "./run-options.ts"

export const run: Command = async (call) => {
  if (!call.options.has("verify-no-leak")) return perform(call)
  const { runVerified } = await import("../leaks/run-verified.ts")
  return runVerified(call, perform)
}

async function perform(call: CommandCall, watch?: LeakWatch): Promise<number> {
  const given = readRunOptions(call.words, call.options, call.cwd)
  const root = await openRoot(call)
  const named = [...Object.keys(given.session.environments ?? {}), ...given.variables.map(({ api }) => api)]
  const readAt = Date.now()
  const place = { root, cwd: call.cwd, named, data: given.session.data }
  const selection = given.selection.lastFailed ? await lastFailed(given, root, call) : given.selection
  const { project, workflows, schedule } = await readRun({ ...selection, ...place })
  const request = withSettings(given, project)
  warnOfVisibleSecrets(project, request.variables, call)
  if (request.inspectPort !== undefined) warnOfNoScripts(project, workflows, call)
  const overrides = await readValues(request.variables)
  const joined = await openReporters(request, call.screen, watch)
  let broken = 0
  const reporting = joinReporters(joined, (name, error) => {
    broken = 2
    call.screen.err.write(`${notices.reporterFailed(name)}\n`)
    reportError(error, { output: call.screen.err, debug: call.options.has("debug") })
  })
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    const limits = watchLimits(request, call.screen)
    const { failed, ...fold } = createFailedFold(schedule)
    const printProblem = printRunProblems(request, call)
    const listen: LiveListener = (event, latest) => {
      watch?.hear(event)
      printProblem(event)
      limits.listen(event)
      fold.listen(event)
      reporting.listen(event, latest)
    }
    const session = {
      project,
      workflows,
      schedule,
      listen,
      listenEnded: reporting.listenEnded,
      watch: reporting.watch,
      complete: await keepFor(reporting.complete),
      readAllEnvironments: () => readAllEnvironments(project),
      options: { ...sessionOptions(request, call, signal), overrides, onSecrets: watch?.onSecrets },
    }
    const status = await withPorts(worldOf(root, request, call), (ports) =>
      runSession({ ...session, ports }),
    ).catch((error: unknown) => {
      reporting.discard()
      throw error
    })
    const verdicts = limits.exceeded()
    reporting.finish(verdicts.length === 0 ? undefined : "failed")
    limits.printLeftovers()
    if (exitCode() !== undefined) call.screen.err.write(`${notices.interrupted()}\n`)
    const missed = [limits.shortfall() ?? [], verdicts].flat()
    for (const text of missed) call.screen.err.write(`${text}\n`)
    const { keepLastSession } = await import("../last-session.ts")
    keepLastSession(root, call, { suite: schedule?.name, failed: failed() })
    if (exitCode() === undefined) await refreshTypes(project, workflows, readAt)
    return exitCode() ?? Math.max(exitCodes[status], broken, missed.length === 0 ? 0 : 1)
  })
}

/** Limits the selection to workflows that failed in the last session. Without a selection, uses the last session's. */
async function lastFailed({ selection }: RunRequest, root: string, call: CommandCall) {
  const { createSelectFailed, readLastSession } = await import("../last-session.ts")
  const session = readLastSession(root, call)
  const selectFailed = createSelectFailed(session, (problem) => printProblems([problem], call.screen.err))
  return { ...selection, suite: selection.isSelected ? selection.suite : session.suite, selectFailed }
}

/** Returns the request with the values of `defaults` in `callsheet.json` where the call sets no option. */
function withSettings(given: RunRequest, project: Project): RunRequest {
  const { root, settingsFile } = project
  if (settingsFile === undefined) return given
  const { reporters = [], maxWarnings } = settingsFile.settings?.defaults ?? {}
  return {
    ...given,
    reporters: given.hasReporters ? given.reporters : readReporters(reporters, root),
    maxWarnings: given.maxWarnings ?? maxWarnings,
    session: withDefaults(given.session, project),
  }
}

/**
 * Watches the limits set by options such as `--max-warnings`. Too little coverage changes the exit code but not the
 * status of the report.
 */
function watchLimits(request: RunRequest, screen: Screen) {
  const coverage = request.coverageMin === undefined ? undefined : watchCoverage(request.coverageMin)
  const warnings = request.maxWarnings === undefined ? undefined : watchWarnings(request.maxWarnings)
  const flaky = request.failOnFlaky ? watchFlaky() : undefined
  const leftovers = request.leftovers === undefined ? undefined : watchLeftovers(screen)
  const watches = [coverage, warnings, flaky, leftovers].filter((watch) => watch !== undefined)
  return {
    listen: (event: RunEvent): void => {
      for (const watch of watches) watch.listen(event)
    },
    shortfall: () => coverage?.shortfall(),
    exceeded: (): readonly string[] => {
      const left = request.leftovers === "fail" ? leftovers?.excess() : undefined
      return [warnings?.excess(), flaky?.excess(), left].filter((text) => text !== undefined)
    },
    printLeftovers: () => leftovers?.print(),
  }
}

function watchCoverage(min: number) {
  const fold = createCoverageFold()
  return {
    listen: fold.apply,
    shortfall: (): string | undefined => {
      const { exercised, documented, percent } = fold.coverage().operations
      return percent >= min ? undefined : notices.lowCoverage(exercised, documented, percent, min)
    },
  }
}

function watchFlaky() {
  let count = 0
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "run.finished" && event.flaky === true) count++
    },
    excess: (): string | undefined => (count === 0 ? undefined : notices.flaky(count)),
  }
}

const MAX_LEFTOVERS = 20

function watchLeftovers({ err }: Screen) {
  let found: readonly Leftover[] = []
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "leftovers.found") found = event.leftovers
    },
    excess: (): string | undefined => (found.length === 0 ? undefined : notices.leftovers(found.length)),
    print: (): void => {
      for (const { operation, url, unknown } of found.slice(0, MAX_LEFTOVERS))
        err.write(`${printable(notices.leftover(operation, url, unknown === true))}\n`)
      const more = found.length - MAX_LEFTOVERS
      if (more > 0) err.write(`${notices.moreLeftovers(more)}\n`)
    },
  }
}

function watchWarnings(max: number) {
  const warnings = new Warnings()
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "warning.raised") warnings.add(event.warning)
    },
    excess: (): string | undefined =>
      warnings.count > max ? notices.manyWarnings(warnings.count, max) : undefined,
  }
}

const exitCodes: { readonly [S in SessionStatus]: number } = { passed: 0, failed: 1, error: 2 }

function sessionOptions(request: RunRequest, call: CommandCall, signal: AbortSignal): SessionOptions {
  const rows = request.reporters.map(({ name }) => reporters[name])
  return {
    ...request.session,
    processEnvironment: call.environment,
    exchanges:
      request.exchanges !== undefined ||
      request.leftovers !== undefined ||
      rows.some(({ needsExchanges }) => needsExchanges === true),
    coverage:
      request.coverageMin !== undefined ||
      request.leftovers !== undefined ||
      rows.some(({ needsCoverage }) => needsCoverage === true),
    leftovers: request.leftovers !== undefined,
    signal,
    confirm: confirmation(request, call, signal),
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

/** Returns how to confirm a run against production: with `--yes`, or by asking the user. */
function confirmation(
  request: RunRequest,
  { screen }: CommandCall,
  signal: AbortSignal,
): SessionOptions["confirm"] {
  if (request.yes) return true
  if (!screen.isInteractive) return undefined
  return async (production) => {
    const { askConfirmation } = await import("../confirm.ts")
    return askConfirmation(production, { output: screen.err, input: screen.input, signal })
  }
}

async function readValues(choices: readonly VariableChoice[]): Promise<Required<VariableChoice>[]> {
  const values: Required<VariableChoice>[] = []
  for (const { api, name, value } of choices) {
    if (value !== undefined) values.push({ api, name, value })
    else {
      const { readStandardInput } = await import("../standard-input.ts")
      values.push({ api, name, value: await readStandardInput(`--var ${api}.${name}=-`) })
    }
  }
  return values
}

function warnOfVisibleSecrets(project: Project, choices: readonly VariableChoice[], { screen }: CommandCall) {
  for (const { api, name, value } of choices) {
    const isSecret = project.apis.get(api)?.environments.variables.get(name)?.secret === true
    if (value !== undefined && isSecret) warnOfVisibleSecret(`--var ${api}.${name}`, screen.err)
  }
}

async function openReporters(request: RunRequest, { out }: Screen, watch: LeakWatch | undefined) {
  const joined: JoinedReporter[] = []
  try {
    for (const { name, file: place } of request.reporters) {
      const row = reporters[name]
      const create = await row.load()
      const file = place === undefined ? undefined : await openFile(place, watch)
      const output = file?.output ?? out
      const isOnScreen = row.isLive === true && file === undefined
      const receives = isOnScreen ? "as-ended" : row.asksLatest === true ? "in-order" : "complete"
      const reporter = create({
        output,
        clock: systemClock,
        isFile: file !== undefined,
        exchanges: request.exchanges,
      })
      joined.push({ name, reporter, receives, reads: row.reads, file })
    }
  } catch (error) {
    for (const { file } of joined) file?.discard()
    throw error
  }
  return joined
}

/** Returns where the events wait for the listeners that receive them after the session, if there are any. */
async function keepFor(listeners: CompleteListeners["listeners"]): Promise<CompleteListeners | undefined> {
  if (listeners.length === 0) return undefined
  const { KeptEvents } = await import("../reporters/kept-text.ts")
  return { listeners, kept: new KeptEvents() }
}

async function openFile(
  { path, shown }: NonNullable<ReporterChoice["file"]>,
  watch: LeakWatch | undefined,
): Promise<ReportFile> {
  const { openReportFile } = await import("../report-file.ts")
  const file = openReportFile(path, shown)
  return watch?.file(file, shown) ?? file
}

/** Prints problems to standard error. Prints warnings only if no reporter shows them on the screen. */
function printRunProblems(request: RunRequest, { screen }: CommandCall): Listener {
  const showsWarnings = request.reporters.some(({ name, file }) => name === "pretty" && file === undefined)
  const warnings = new Warnings()
  const shown = new Set<string>()
  // Several workflows may have the same problem.
  const isNew = (problem: Problem): boolean => shown.size < shown.add(formatProblem(problem)).size
  return (event: RunEvent) => {
    if (event.type === "warning.raised" && !showsWarnings) {
      if (warnings.add(event.warning) && warnings.count <= 100) printProblems([event.warning], screen.err)
    }
    if (event.type === "run.finished" && event.error !== undefined) {
      const { code, message, problems } = event.error
      const all: readonly Problem[] = problems.length > 0 ? problems : [{ code, severity: "error", message }]
      printProblems(all.filter(isNew), screen.err)
    }
  }
}

const systemClock: ReporterClock = {
  now: monotonicMs,
  every: (ms, tick) => {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
