// The terminal: its streams, width and colors. No other module uses standard output and standard error.

import { breakCommands } from "./text/log-commands.ts"

export interface Screen {
  readonly out: Output
  readonly err: Output
  /** True if input and error output are terminals, outside CI. The user can then answer questions. */
  readonly isInteractive: boolean
  readonly input: NodeJS.ReadableStream
}

export interface Output {
  /**
   * Writes text. Unless `"exact"` is given, changes text that a CI system would read as a command. Use `"exact"` for
   * output to programs, and for text without commands.
   */
  readonly write: (text: string, as?: "exact") => void
  readonly isTerminal: boolean
  /** True if the output is a terminal, outside CI, so that lines can be redrawn. */
  readonly isLive: boolean
  /** Returns the current width in columns. Windows can be resized. */
  readonly columns: () => number
  readonly style: Style
}

type Color = "red" | "green" | "yellow" | "cyan" | "magenta" | "gray" | "bold" | "dim"
export type Style = (color: Color, text: string) => string

export interface Host {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Flushing {
  /** Waits until everything is written. Returns the error of standard output, if any. A closed pipe is not an error. */
  readonly flush: () => Promise<Error | undefined>
}

export const plain: Style = (_color, text) => text

/** Creates the screen of a process. Opens each stream at the first write, because opening takes a millisecond. */
export function createScreen(host: Host): Screen & Flushing {
  const out = createOutput(() => host.stdout, host.env)
  const err = createOutput(() => host.stderr, host.env)
  return {
    out,
    err,
    get isInteractive() {
      // Opening the input takes longer than opening the output, so check it last.
      return !isCi(host.env) && host.stderr.isTTY && host.stdin.isTTY === true
    },
    get input() {
      return host.stdin
    },
    flush: async () => {
      const failure = await out.flush()
      await err.flush()
      return failure
    },
  }
}

function createOutput(open: () => NodeJS.WriteStream, env: Host["env"]): Output & Flushing {
  let stream: NodeJS.WriteStream | undefined
  let failure: NodeJS.ErrnoException | undefined
  const opened = (): NodeJS.WriteStream => {
    if (stream !== undefined) return stream
    stream = open()
    // Without a listener, a closed pipe (`| head -1`) would end the process.
    stream.on("error", (error) => (failure ??= error))
    return stream
  }
  return {
    write: (text, as) => {
      if (failure === undefined && text !== "") opened().write(as === "exact" ? text : breakCommands(text))
    },
    get isTerminal() {
      return opened().isTTY
    },
    get isLive() {
      return opened().isTTY && !isDumb(env) && !isCi(env)
    },
    columns: () => opened().columns || 80,
    get style() {
      return hasColor(opened(), env) ? paint : plain
    },
    flush: async () => {
      const open = stream
      if (open === undefined) return undefined
      if (failure === undefined) await new Promise<void>((resolve) => open.write("", () => resolve()))
      return failure === undefined || failure.code === "EPIPE" ? undefined : failure
    },
  }
}

// Most output goes to files and pipes, without colors. Decide once: `styleText` would check the stream for each string.
const paint: Style = (color, text) =>
  process.getBuiltinModule("node:util").styleText(color, text, { validateStream: false })

const isDumb = (env: Host["env"]): boolean => env["TERM"] === "dumb"
export const isCi = (env: Host["env"]): boolean =>
  isSet(env["CI"]) && env["CI"] !== "false" && env["CI"] !== "0"
const isSet = (value: string | undefined): value is string => value !== undefined && value !== ""

export const styleOf = (stream: { readonly isTTY?: boolean }, env: Host["env"]): Style =>
  hasColor(stream, env) ? paint : plain

/**
 * Returns whether output is colored. As in Node, FORCE_COLOR decides first, then NO_COLOR, then the type of the stream.
 */
function hasColor(stream: { readonly isTTY?: boolean }, env: Host["env"]): boolean {
  const forced = env["FORCE_COLOR"]
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  if (isSet(env["NO_COLOR"])) return false
  return stream.isTTY === true && !isDumb(env)
}
