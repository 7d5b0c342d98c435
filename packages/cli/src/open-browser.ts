// Opens a URL in the user's browser.

import { spawn } from "node:child_process"
import { delimiter, isAbsolute } from "node:path"

interface Opener {
  readonly command: string
  readonly words: readonly string[]
  /** The program's standard input. If absent, the URL is in the arguments. */
  readonly input?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns how to open a browser, if there is a screen. Only Linux has the URL on a command line, where others can see it. */
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

/** Removes the project's programs from the search path: npm puts `node_modules/.bin` first, and paths may be relative. */
function withoutForeignPrograms(environment: Environment): Environment {
  const kept = Object.entries(environment).map(([name, value]) => [
    name,
    name.toUpperCase() === "PATH" ? value?.split(delimiter).filter(isSystemFolder).join(delimiter) : value,
  ])
  return Object.fromEntries(kept) as Environment
}

const isSystemFolder = (path: string): boolean =>
  isAbsolute(path) && !/[\\/]node_modules(?:[\\/]|$)/.test(path)

/** Starts the browser without waiting for it. If it fails, the URL is still in the terminal. */
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
