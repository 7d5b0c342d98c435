// Resolves secret references with the programs of the user-level file. Ends each program with everything it started.

import type { ChildProcess } from "node:child_process"
import {
  attempt,
  decodeText,
  isJsonObject,
  once,
  parseJson,
  type SecretReference,
  type UserFile,
  ownOf,
  member,
} from "@callsheet/format"
import type { ResolvedReference } from "../../ports.ts"
import { killGroup } from "../kill-group.ts"
import { findProgram, isProgramName, type FoundProgram, type ProgramPlace } from "../programs/find-program.ts"
import { startProgram } from "../programs/start-program.ts"
import { userPath } from "./user-path.ts"

export interface Resolvers extends ProgramPlace {
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
    const output = await outputOf(job, resolvers, deadline)
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
  readonly program: string
  readonly parameters: readonly string[]
  readonly input: string | undefined
  readonly isRefused?: boolean
  readonly of: readonly SecretReference[]
  readonly read: (output: string, reference: SecretReference) => ResolvedReference
}

/** Returns one job per reference, or one per resolver whose command reads all references from its standard input. */
function jobsOf(references: readonly SecretReference[], { resolvers = {} }: Resolvers): Job[] {
  const known = Object.entries(resolvers)
  return known.flatMap(([name, { command }]): Job[] => {
    const [program = "", ...parameters] = command
    const own = references.filter(({ resolver }) => resolver === name)
    if (own.length === 0) return []
    if (!parameters.some((argument) => argument.includes(PLACEHOLDER))) {
      const input = JSON.stringify({ references: own.map(({ reference }) => reference) })
      return [{ program, parameters, input, of: own, read: readBatch }]
    }
    return own.map((one) => ({
      // The project chooses the reference, so it must not become an option.
      isRefused: one.reference.startsWith("-") && command.some((part) => part.startsWith(PLACEHOLDER)),
      program,
      parameters: parameters.map((part) => part.replaceAll(PLACEHOLDER, () => one.reference)),
      input: undefined,
      of: [one],
      read: (output) => resolved(output.replace(/\r?\n$/, "")),
    }))
  })
}

function readBatch(output: string, { reference }: SecretReference): ResolvedReference {
  const parsed = parseJson(output)
  const values = parsed.ok ? member(parsed.value, "values") : undefined
  if (!isJsonObject(values)) return { reason: "not JSON" }
  return resolved(ownOf(values, reference))
}

function resolved(value: unknown): ResolvedReference {
  if (value === undefined || value === "") return { reason: "no value" }
  return typeof value === "string" ? { value } : { reason: "not text" }
}

async function outputOf(job: Job, resolvers: Resolvers, deadline: AbortSignal): Promise<ResolvedReference> {
  if (job.isRefused === true) return { reason: "option" }
  const { folder = "" } = resolvers
  const command = isProgramName(job.program) ? job.program : userPath(job.program, folder)
  const { program, refused } = findProgram(command, resolvers)
  return program === undefined
    ? { reason: { program: job.program, refused } }
    : runProgram(program, job, { ...resolvers, deadline })
}

interface Running extends Resolvers {
  readonly deadline: AbortSignal
}

const running = new Set<ChildProcess>()
const killAllAtExit = once(() =>
  process.once("exit", () => {
    for (const child of running) killGroup(child)
  }),
)

function runProgram(
  program: FoundProgram,
  { parameters, input }: Job,
  { folder, processEnvironment, deadline, signal }: Running,
): Promise<ResolvedReference> {
  killAllAtExit()
  return new Promise((resolve) => {
    if (deadline.aborted || signal?.aborted === true) return resolve({ reason: "timeout" })
    const chunks: Buffer[] = []
    let length = 0
    // Throws if a reference contains a NUL character.
    const child = attempt(() =>
      startProgram(program, parameters, {
        cwd: folder,
        environment: processEnvironment,
        detached: process.platform !== "win32",
      }),
    )
    if (child === undefined) return resolve({ reason: "not started" })
    running.add(child)
    const stop = (outcome: ResolvedReference): void => {
      running.delete(child)
      deadline.removeEventListener("abort", late)
      signal?.removeEventListener("abort", late)
      child.stdout?.destroy()
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
    child.stdin?.on("error", () => undefined).end(input)
    child.stdout?.on("data", (chunk: Buffer) => {
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
