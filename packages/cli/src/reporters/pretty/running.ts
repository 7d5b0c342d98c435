// The runs in progress, as lines at the bottom of the terminal.

import { trackBlocks, type OpenBlock, type RunReport } from "@callsheet/format"
import type { Style } from "../../screen.ts"
import { plural } from "../../text/measures.ts"
import { printable } from "../../text/printable.ts"
import { pathOf } from "../block-path.ts"
import type { ReporterClock } from "../reporter.ts"
import { runTitle } from "../run-title.ts"

interface RunningRun {
  readonly report: RunReport
  readonly startedAt: number
  /** The open block that started last. */
  block: OpenBlock<undefined> | undefined
}

const MAX_LINES = 16

/** Creates the lines. `apply` expects every event at once. `draw` returns lines that fit into `width` columns. */
export function createRunningRuns(style: Style, clock: ReporterClock) {
  const startedAt = clock.now()
  // Not a `Set`, because V8 keeps removed members of one that changes constantly in old hash tables.
  const running: RunningRun[] = []
  let finished = 0
  const { apply } = trackBlocks<undefined>((report) => {
    const run: RunningRun = { report, startedAt: clock.now(), block: undefined }
    running.push(run)
    return {
      maxLogs: 0,
      own: () => undefined,
      onStarted: (block) => void (run.block = block),
      onFinished: (block) => {
        if (run.block === block) run.block = block.parent
      },
      onRunFinished: () => {
        running.splice(running.indexOf(run), 1)
        finished++
      },
    }
  })
  const lineOf = ({ report, block }: RunningRun): string => {
    const where = block === undefined ? printable(runTitle(report)) : pathOf(block)
    const title = running.length > 1 && block !== undefined ? `${printable(runTitle(report))} › ` : ""
    const sent = block?.report.request
    const items = block === undefined || block.streamed === 0 ? "" : `  ${plural(block.streamed, "item")}`
    return `${title}${where}${sent === undefined ? "" : `  ${printable(sent.method)}`}${items}`
  }
  return {
    apply,
    draw: (width: number): readonly string[] => {
      const [first] = running
      if (first === undefined) return []
      const elapsed = clock.now() - (running.length === 1 ? first.startedAt : startedAt)
      const spinner = frames.charAt(Math.floor(elapsed / 80) % frames.length)
      const tally =
        running.length === 1 ? tallyOf(first.report) : [`${running.length} running`, `${finished} finished`]
      const shown = running.slice(0, MAX_LINES)
      const more = running.length - shown.length
      return [
        ...shown.map((run) => `${style("cyan", spinner)} ${fit(lineOf(run), width - 2)}`),
        ...(more > 0 ? [`  ${style("dim", `… ${more} more`)}`] : []),
        `  ${style("dim", fit([...tally, `${(elapsed / 1000).toFixed(1)} s`].join("  "), width - 2))}`,
      ]
    },
  }
}

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

const tallyOf = ({ counts: { passed, failed, skipped } }: RunReport): readonly string[] =>
  [`${passed} passed`, `${failed} failed`, `${skipped} skipped`].filter((text) => !text.startsWith("0 "))

/** Cuts text to `width` columns. A non-ASCII character may take two columns. */
function fit(text: string, width: number): string {
  let columns = 0
  let kept = ""
  for (const character of text) {
    columns += character > "~" && !"›…".includes(character) ? 2 : 1
    if (columns > width - 1) return `${kept}…`
    kept += character
  }
  return kept
}
