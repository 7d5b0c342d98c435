// Resolves secret references with the programs of the user-level file. Ends each program with everything it started.

import { spawn, type ChildProcess } from "node:child_process"
import {
  attempt,
  decodeText,
  isJsonObject,
  once,
  parseJson,
  type SecretReference,
  type UserFile,
} from "@callsheet/format"
import type { ResolvedReference } from "../../ports.ts"
import { killGroup } from "../kill-group.ts"

export interface Resolvers {
  readonly resolvers?: NonNullable<UserFile["resolvers"]> | undefined
  /** The directory of the user-level file, in which the programs run. A project's directory could contain programs. */
  readonly folder?: string | undefined
  /** The path of the user-level file in messages. */
  readonly shown: string
  readonly signal: AbortSignal | undefined
}

/** The time for all programs together. */
const LIMIT_MS = 10_000
/** The maximum number of programs at once. */
const MAX_PROGRAMS = 8
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
const PLACEHOLDER = "{reference}"

/** Resolves the references, each to a value or the reason why it has none. Never throws. */
export async function runResolvers(
  references: readonly SecretReference[],
  resolvers: Resolvers,
): Promise<readonly ResolvedReference[]> {
  const found = new Map<SecretReference, ResolvedReference>()
  const deadline = AbortSignal.timeout(LIMIT_MS)
  const jobs = jobsOf(references, resolvers).map((job) => async () => {
    const output: ResolvedReference =
      job.isRefused === true ? { reason: "option" } : await runProgram({ ...job, ...resolvers, deadline })
    for (const one of job.of) found.set(one, "value" in output ? job.read(output.value, one) : output)
  })
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job()
  }
  await Promise.all(Array.from({ length: MAX_PROGRAMS }, work))
  const unknown: ResolvedReference = { reason: resolvers.resolvers === undefined ? "no file" : "no resolver" }
  return references.map((one) => found.get(one) ?? unknown)
}

interface Job {
  readonly command: readonly string[]
  readonly input: string | undefined
  readonly isRefused?: boolean
  readonly of: readonly SecretReference[]
  readonly read: (output: string, reference: SecretReference) => ResolvedReference
}

/** Returns one job per reference, or one per resolver whose command reads all references from its standard input. */
function jobsOf(references: readonly SecretReference[], { resolvers = {} }: Resolvers): Job[] {
  const known = Object.entries(resolvers)
  return known.flatMap(([name, { command }]): Job[] => {
    const own = references.filter(({ resolver }) => resolver === name)
    if (own.length === 0) return []
    if (!command.slice(1).some((argument) => argument.includes(PLACEHOLDER))) {
      const input = JSON.stringify({ references: own.map(({ reference }) => reference) })
      return [{ command, input, of: own, read: readBatch }]
    }
    return own.map((one) => ({
      // The project chooses the reference, so it must not become an option.
      isRefused: one.reference.startsWith("-") && command.some((part) => part.startsWith(PLACEHOLDER)),
      command: command.map((part, at) =>
        at === 0 ? part : part.replaceAll(PLACEHOLDER, () => one.reference),
      ),
      input: undefined,
      of: [one],
      read: (output) => resolved(output.replace(/\r?\n$/, "")),
    }))
  })
}

function readBatch(output: string, { reference }: SecretReference): ResolvedReference {
  const parsed = parseJson(output)
  const values = parsed.ok && isJsonObject(parsed.value) ? parsed.value["values"] : undefined
  if (!isJsonObject(values)) return { reason: "not JSON" }
  return resolved(Object.hasOwn(values, reference) ? values[reference] : undefined)
}

function resolved(value: unknown): ResolvedReference {
  if (value === undefined || value === "") return { reason: "no value" }
  return typeof value === "string" ? { value } : { reason: "not text" }
}

interface Program extends Pick<Resolvers, "folder" | "signal"> {
  readonly command: readonly string[]
  readonly input: string | undefined
  readonly deadline: AbortSignal
}

const running = new Set<ChildProcess>()
const killAllAtExit = once(() =>
  process.once("exit", () => {
    for (const child of running) killGroup(child)
  }),
)

/** Runs a program without a shell and returns its standard output. Drops standard error, which may contain secrets. */
function runProgram({ command, input, folder, deadline, signal }: Program): Promise<ResolvedReference> {
  const [file = "", ...parameters] = command
  killAllAtExit()
  return new Promise((resolve) => {
    if (deadline.aborted || signal?.aborted === true) return resolve({ reason: "timeout" })
    const chunks: Buffer[] = []
    let length = 0
    // Throws if a reference contains a NUL character.
    const child = attempt(() =>
      spawn(file, parameters, {
        cwd: folder,
        detached: process.platform !== "win32",
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      }),
    )
    if (child === undefined) return resolve({ reason: "not started" })
    running.add(child)
    const stop = (outcome: ResolvedReference): void => {
      running.delete(child)
      deadline.removeEventListener("abort", late)
      signal?.removeEventListener("abort", late)
      child.stdout.destroy()
      resolve(outcome)
    }
    const late = (): void => {
      killGroup(child)
      stop({ reason: "timeout" })
    }
    deadline.addEventListener("abort", late, { once: true })
    signal?.addEventListener("abort", late, { once: true })
    child.on("error", () => stop({ reason: "not started" }))
    // A program may end without reading its input.
    child.stdin.on("error", () => undefined).end(input)
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= MAX_OUTPUT_BYTES) return
      killGroup(child)
      stop({ reason: "too large" })
    })
    child.on("close", (exitCode, killedBy) => {
      if (exitCode !== 0) return stop({ reason: killedBy === null ? { exitCode } : { killedBy } })
      const text = decodeText(Buffer.concat(chunks))
      stop(text.ok ? { value: text.text } : { reason: "not text" })
    })
  })
}
