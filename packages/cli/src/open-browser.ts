// Opens pages in the user's browser.

import { dirname } from "node:path"
import { findProgram, startProgram, type ProgramPlace } from "@callsheet/engine"
import { ownOf } from "@callsheet/format"

interface Opener {
  readonly command: string
  readonly words: readonly string[]
  /** The program's standard input. If absent, the URL is in `words`. */
  readonly input?: string
}

/**
 * Returns how to open a browser. Undefined without a screen. Only Linux puts the URL on a command line, where other
 * users can see it.
 */
export function browserOpener(
  address: string,
  platform: string,
  environment: ProgramPlace["processEnvironment"],
): Opener | undefined {
  if (platform === "darwin") {
    return { command: "osascript", words: ["-"], input: `open location ${JSON.stringify(address)}\n` }
  }
  if (platform === "win32") {
    const words = ["-NoProfile", "-NonInteractive", "-Command", "-"]
    return { command: "powershell", words, input: `Start-Process '${address}'\n` }
  }
  if (platform !== "linux") return undefined
  const hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => (ownOf(environment, name) ?? "") !== "")
  return hasScreen ? { command: "xdg-open", words: [address] } : undefined
}

/** Starts the browser without waiting for it. If this fails, the URL is still in the terminal. */
export function openBrowser({ command, words, input }: Opener, place: ProgramPlace): void {
  const { program } = findProgram(command, place)
  if (program === undefined) return
  const child = startProgram(program, words, {
    // The working directory may be the project, where a program could look for others.
    cwd: dirname(program.file),
    environment: place.processEnvironment,
    ignoresOutput: true,
    detached: true,
  })
  child.on("error", () => undefined)
  child.stdin?.on("error", () => undefined).end(input)
  child.unref()
}
