// Opens a URL in the browser of the person at the terminal.

import { spawn } from "node:child_process"
import { delimiter, isAbsolute } from "node:path"

interface Opener {
  readonly command: string
  readonly words: readonly string[]
  /** Its standard input; without one, the URL is in the arguments. */
  readonly input?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns undefined without a screen. Other users can see command lines, so only Linux gets the URL there. */
export function browserOpener(
  address: string,
  platform: string,
  environment: Environment,
): Opener | undefined {
  if (platform === "darwin") {
    return { command: "osascript", words: ["-"], input: `open location ${JSON.stringify(address)}\n` }
  }
  if (platform === "win32") {
    const words = ["-NoProfile", "-NonInteractive", "-Command", "-"]
    return { command: "powershell", words, input: `Start-Process '${address}'\n` }
  }
  if (platform !== "linux") return undefined
  const hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => (environment[name] ?? "") !== "")
  return hasScreen ? { command: "xdg-open", words: [address] } : undefined
}

/** npm puts the project's `node_modules/.bin` before the system's programs, and a relative path leads into the project. */
function withoutForeignPrograms(environment: Environment): Environment {
  const kept = Object.entries(environment).map(([name, value]) => [
    name,
    name.toUpperCase() === "PATH" ? value?.split(delimiter).filter(isSystemFolder).join(delimiter) : value,
  ])
  return Object.fromEntries(kept) as Environment
}

const isSystemFolder = (path: string): boolean =>
  isAbsolute(path) && !/[\\/]node_modules(?:[\\/]|$)/.test(path)

/** Starts the browser without waiting. If it fails, the URL is still in the terminal. */
export function openBrowser({ command, words, input }: Opener, environment: Environment): void {
  const child = spawn(command, words, {
    detached: true,
    env: withoutForeignPrograms(environment),
    stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
    windowsHide: true,
  })
  child.on("error", () => undefined)
  child.stdin?.on("error", () => undefined).end(input)
  child.unref()
}
