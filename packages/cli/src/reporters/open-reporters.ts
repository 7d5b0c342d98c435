// Opens the chosen reporters and their files, and prints what no reporter shows.

import { monotonicMs, SessionLog } from "@callsheet/engine"
import {
  COLLECTOR,
  formatProblem,
  Warnings,
  type Listener,
  type Problem,
  type RunEvent,
} from "@callsheet/format"
import { ProjectPath } from "@callsheet/project"
import type { ReporterChoice } from "../commands/read-run-options.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import type { Collector } from "./otlp/collector-headers.ts"
import type { ReportDirectory } from "./report-directory.ts"
import type { ReportFile } from "./report-file.ts"
import { printProblems } from "../report-error.ts"
import type { Output, Screen } from "../screen.ts"
import { chunks } from "./chunks.ts"
import { OWN_LINE, reporters } from "./index.ts"
import type { JoinedReporter } from "./join.ts"
import type { ReporterClock, ReporterContext } from "./reporter.ts"

interface ReporterRequest {
  readonly reporters: readonly ReporterChoice[]
  readonly collectors: readonly Collector[]
  readonly exchanges: ReporterContext["exchanges"]
}

interface ReporterPlace extends Pick<ReporterContext, "root" | "processEnvironment" | "offline"> {
  readonly screen: Screen
  readonly watch?: LeakWatch | undefined
}

export async function openReporters(
  { reporters: choices, collectors, exchanges }: ReporterRequest,
  place: ReporterPlace,
): Promise<readonly JoinedReporter[]> {
  const joined: JoinedReporter[] = []
  try {
    for (const choice of choices) joined.push(await openReporter(choice, { ...place, exchanges }))
  } catch (error) {
    for (const { file } of joined) file?.discard()
    throw error
  }
  return [...joined, ...collectors.map((collector) => openCollector(collector, place))]
}

/** Opens a reporter that sends traces to a collector when the session is over. */
function openCollector(
  collector: Collector,
  { screen, watch, processEnvironment }: ReporterPlace,
): JoinedReporter {
  return {
    name: COLLECTOR,
    finish: () => undefined,
    deliver: async (events) => {
      const { sendTraces } = await import("./otlp/send-traces.ts")
      const { noOutput } = await import("./report-file.ts")
      const none = { output: noOutput, commit: () => undefined, discard: () => undefined }
      const output = watch?.file(none, `the traces for ${collector.url.origin}`).output ?? noOutput
      const write = (text: string): void => output.write(text, "exact")
      const problem = await sendTraces(events, { collector, processEnvironment, write })
      if (problem !== undefined) printProblems([problem], screen.err)
    },
  }
}

async function openReporter(
  { name, file: place }: ReporterChoice,
  { screen, watch, ...about }: ReporterPlace & Pick<ReporterRequest, "exchanges">,
): Promise<JoinedReporter> {
  const row = reporters[name]
  const createLive = place === undefined ? await row.loadLive?.() : undefined
  const render = createLive === undefined ? await row.load() : undefined
  const directory = row.isDirectory === true && place !== undefined ? await openDirectory(place) : undefined
  const opened = directory ?? (place && (await openFile(place)))
  if (place instanceof ProjectPath && row.starts === undefined) opened?.output.write(OWN_LINE)
  const file = opened && (watch?.file(opened, place?.shown ?? "") ?? opened)
  const output = file?.output ?? screen.out
  const context: ReporterContext = {
    ...about,
    output,
    directory,
    clock: systemClock,
    isFile: file !== undefined,
    summary: row.standsBeside === true ? await openSummary(about.processEnvironment, watch) : undefined,
  }
  const live = createLive?.(context)
  return {
    name,
    file,
    onEnded: live?.onEvent,
    onProgress: live?.onProgress,
    finish: (events, end) => {
      live?.finish(end)
      if (render !== undefined)
        for (const text of chunks(render(events, { ...context, end }))) output.write(text, "exact")
    },
  }
}

/** Opens the log of a session, if a reporter writes after it. */
export async function openLog(joined: readonly JoinedReporter[]): Promise<SessionLog | undefined> {
  if (joined.every(({ onEnded }) => onEnded !== undefined)) return undefined
  const { EventSpool } = await import("../record/event-spool.ts")
  return new SessionLog(new EventSpool())
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
