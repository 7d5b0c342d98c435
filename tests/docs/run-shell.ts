// Runs a shell block as a reader would, and compares its output with the page.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, rm } from "node:fs/promises"
import { isPartOf, parsePiece } from "./pieces.ts"

export interface Place {
  /** The directory of the next command. */
  cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A file where the shell stores its directory. */
  readonly state: string
  /** Addresses on the page, and the actual server addresses on this machine. */
  readonly addresses: readonly (readonly [written: string, actual: string])[]
}

interface Step {
  readonly command: string
  /** The output on the page, or undefined if there is none. */
  readonly expected?: string
}

/** Between the outputs of two commands. */
const MARK = "\u001E"
/** Time limit for a command on a busy machine, in milliseconds. */
export const MAX_MS = 60_000
/** Length limit of an output in a failure, in characters. */
const MAX_SHOWN = 3000

/** A prompt starts a command, a backslash continues it, and everything else is output. */
export function readConsole(text: string): readonly Step[] {
  const steps: { command: string; expected: string }[] = []
  let continues = false
  for (const line of text.trimEnd().split("\n")) {
    const last = steps.at(-1)
    if (continues && last !== undefined) last.command += `\n${line.replace(/^> /, "")}`
    else if (line.startsWith("$ ")) steps.push({ command: line.slice(2), expected: "" })
    else if (last === undefined) throw new Error("a console block starts with a `$ ` prompt")
    else last.expected += `${line}\n`
    continues = line.endsWith("\\") && (continues || line.startsWith("$ "))
  }
  return steps
}

interface Wanted {
  readonly exitCode: number
  /** Interrupts the command when it has printed this. */
  readonly until?: string | undefined
}

/** Returns the problem, if any. Moves `place` to the directory in which the commands end. */
export async function runSteps(
  steps: readonly Step[],
  place: Place,
  { exitCode, until }: Wanted,
): Promise<string | undefined> {
  const body = steps.map(({ command }) => `${toActual(command, place)}\nprintf '${MARK}%s\\n' $?`)
  const atEnd = `trap 'code=$?; pwd > "$STATE"; printf "${MARK}$code\\n"' EXIT`
  const script = `exec 2>&1\n${atEnd}\n${body.join("\n")}\n`
  const printed = await runScript(script, place, until)
  if (printed.isLate) return `didn't end within ${MAX_MS} ms; it printed:\n${printed.text}`
  if (until !== undefined) {
    return printed.text.includes(until) ? undefined : `never printed ${until}; it printed:\n${printed.text}`
  }
  const outputs = toWritten(printed.text, place).split(new RegExp(`${MARK}(\\d+)\\n`))
  for (const [index, { command, expected }] of steps.entries()) {
    const output = outputs[index * 2] ?? ""
    const code = Number(outputs[index * 2 + 1])
    const wanted = index === steps.length - 1 ? exitCode : 0
    if (code !== wanted)
      return `${command}\nended with ${code}, expected ${wanted}; it printed:\n${output.slice(0, MAX_SHOWN)}`
    if (expected !== undefined && expected !== "" && !isAsShown(output, expected)) {
      return `${command}\nexpected\n${expected}\nreceived\n${output.slice(0, MAX_SHOWN)}`
    }
  }
  return undefined
}

async function runScript(script: string, place: Place, until: string | undefined) {
  const child = spawn("bash", ["-c", script], {
    cwd: place.cwd,
    env: { ...place.environment, STATE: place.state },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
  }
  let [text, isLate, isStopped] = ["", false, false]
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      if (isStopped || until === undefined || !text.includes(until)) return
      isStopped = true
      signalAll("SIGINT")
    })
  }
  const timer = setTimeout(() => {
    isLate = true
    signalAll("SIGKILL")
  }, MAX_MS)
  await once(child, "close")
  clearTimeout(timer)
  place.cwd = (await readFile(place.state, "utf8").catch(() => place.cwd)).trim()
  await rm(place.state, { force: true })
  return { text, isLate }
}

export const toActual = (text: string, { addresses }: Pick<Place, "addresses">): string =>
  replaceEach(text, new Map(addresses))

const toWritten = (text: string, { addresses }: Pick<Place, "addresses">): string =>
  replaceEach(text, new Map(addresses.map(([written, actual]) => [actual, written])))

/** In one pass, because an actual address may start with a written one: its port may be 40101. */
const replaceEach = (text: string, replacements: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    new RegExp(`(?:${[...replacements.keys()].map(escape).join("|")})(?!\\d)`, "g"),
    (address) => replacements.get(address) ?? address,
  )

/** Compares output with a page's, ignoring times, dates and the width of columns. `…` matches anything. */
function isAsShown(output: string, shown: string): boolean {
  if (/^[[{]/.test(shown)) return isPartOf(parsePiece(shown, "json")[0], JSON.parse(output))
  const anyLines = "(?:.*\\n)*?"
  const pattern = mask(shown)
    .split("\n")
    .map((line) =>
      /^(?:…|\.\.\.)$/.test(line.trim()) ? anyLines : `${escape(line).replaceAll("…", ".*")}\n`,
    )
    .join("")
  return new RegExp(`^${pattern}$`).test(`${mask(output)}\n`)
}

const mask = (text: string): string =>
  text
    .trimEnd()
    .replaceAll(/,? *\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<date>")
    .replaceAll(/(?<=\S) {2,}/g, "  ")
    .replaceAll(/ +$/gm, "")

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
