// Opens the chosen reporters and their files, and prints what no reporter shows.

import { monotonicMs, type CompleteListeners } from "@callsheet/engine"
import { formatProblem, Warnings, type Listener, type Problem, type RunEvent } from "@callsheet/format"
import { ProjectPath } from "@callsheet/project"
import type { ReporterChoice } from "../commands/run-options.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import type { ReportDirectory } from "./report-directory.ts"
import type { ReportFile } from "./report-file.ts"
import { printProblems } from "../report-error.ts"
import type { Output, Screen } from "../screen.ts"
import { reporters } from "./index.ts"
import type { JoinedReporter } from "./join.ts"
import { OWN_LINE } from "./own-files.ts"
import type { ReporterClock, ReporterContext } from "./reporter.ts"

interface ReporterRequest {
  readonly reporters: readonly ReporterChoice[]
  readonly exchanges: ReporterContext["exchanges"]
}

interface ReporterPlace extends Pick<ReporterContext, "root" | "processEnvironment" | "isReplay"> {
  readonly screen: Screen
  readonly watch?: LeakWatch | undefined
}

export async function openReporters(
  { reporters: choices, exchanges }: ReporterRequest,
  { root, processEnvironment, isReplay, screen, watch }: ReporterPlace,
) {
  const joined: JoinedReporter[] = []
  try {
    for (const { name, file: place } of choices) {
      const row = reporters[name]
      const create = await row.load()
      const directory =
        row.isDirectory === true && place !== undefined ? await openDirectory(place) : undefined
      const opened = directory ?? (place && (await openFile(place)))
      if (place instanceof ProjectPath && row.starts === undefined) opened?.output.write(OWN_LINE)
      const file = opened && (watch?.file(opened, place?.shown ?? "") ?? opened)
      const output = file?.output ?? screen.out
      const isOnScreen = row.isLive === true && file === undefined
      const receives = isOnScreen ? "as-ended" : row.asksLatest === true ? "in-order" : "complete"
      const reporter = create({
        output,
        directory,
        clock: systemClock,
        isFile: file !== undefined,
        exchanges,
        root,
        processEnvironment,
        isReplay,
        summary: row.standsBeside === true ? await openSummary(processEnvironment, watch) : undefined,
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
export async function keepFor(
  listeners: CompleteListeners["listeners"],
): Promise<CompleteListeners | undefined> {
  if (listeners.length === 0) return undefined
  const { KeptEvents } = await import("./kept-text.ts")
  return { listeners, kept: new KeptEvents() }
}

type Place = NonNullable<ReporterChoice["file"]>

async function openFile(place: Place): Promise<ReportFile> {
  const { openReportFile } = await import("./report-file.ts")
  return openReportFile(place)
}

async function openDirectory(place: Place): Promise<ReportDirectory> {
  const { openReportDirectory } = await import("./report-directory.ts")
  return openReportDirectory(place)
}

/** Opens the file that GitHub shows as the summary of the step. Appends, because other programs write to it, too. */
async function openSummary(
  { GITHUB_STEP_SUMMARY: path }: ReporterContext["processEnvironment"],
  watch: LeakWatch | undefined,
): Promise<Output | undefined> {
  if (path === undefined || path === "") return undefined
  const { openAppended } = await import("./report-file.ts")
  const file = openAppended(path)
  return (watch?.file(file, path) ?? file).output
}

/** Prints problems to standard error. Prints warnings only if no reporter shows them on the screen. */
export function printRunProblems(choices: readonly ReporterChoice[], { err }: Screen): Listener {
  const showsWarnings = choices.some(({ name, file }) => name === "pretty" && file === undefined)
  const warnings = new Warnings()
  const shown = new Set<string>()
  // Several workflows may have the same problem.
  const isNew = (problem: Problem): boolean => shown.size < shown.add(formatProblem(problem)).size
  return (event: RunEvent) => {
    if (event.type === "warning.raised" && !showsWarnings) {
      if (warnings.add(event.warning) && warnings.count <= 100) printProblems([event.warning], err)
    }
    // A bug is printed when it happens.
    if (
      event.type === "run.finished" &&
      event.error !== undefined &&
      event.error.code !== "unexpected-error"
    ) {
      const { code, message, problems } = event.error
      const all: readonly Problem[] = problems.length > 0 ? problems : [{ code, severity: "error", message }]
      printProblems(all.filter(isNew), err)
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
