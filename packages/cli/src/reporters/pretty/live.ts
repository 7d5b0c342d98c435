// Redraws a few lines at the bottom of the terminal. Permanent lines are above them.

import type { Output } from "../../screen.ts"
import type { ReporterClock } from "../reporter.ts"

const REDRAW_MS = 80

/**
 * Creates the live lines. `draw` returns them, no wider than the terminal. It is called at most a dozen times a second.
 */
export function createLive(output: Output, clock: ReporterClock, draw: () => readonly string[]) {
  let shown = 0
  let stopTicking: (() => void) | undefined
  const erase = () => (shown === 0 ? "" : `\u001b[${shown}A\r\u001b[J`)
  const live = () => {
    const lines = stopTicking === undefined ? [] : draw()
    shown = lines.length
    return text(lines)
  }
  return {
    /** Writes permanent lines above the live lines. */
    print: (lines: readonly string[]): void => {
      if (lines.length > 0) output.write(erase() + text(lines) + live())
    },
    /** Starts to redraw. If the terminal can't redraw, only permanent lines are written. */
    start: (): void => {
      if (output.isLive) stopTicking ??= clock.every(REDRAW_MS, () => output.write(erase() + live()))
    },
    stop: (): void => {
      if (stopTicking === undefined) return
      stopTicking()
      stopTicking = undefined
      output.write(erase())
      shown = 0
    },
  }
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")
