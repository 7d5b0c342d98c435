// The slow proofs by name: reads the arguments, runs the requested ones, and reports the result.

import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { proveInputs } from "./inputs.ts"
import { proveKills } from "./kills.ts"
import { proveSecrets } from "./secrets.ts"
import { proveWriters } from "./writers.ts"

export interface Proof {
  readonly seed: number
  /**
   * The number of inputs, secrets, kills of each command, or writes of each process. Undefined: all that are promised.
   */
  readonly count: number | undefined
  /** The input, secret or command to repeat. */
  readonly only: number | undefined
  /** The repository's root. */
  readonly root: string
  /** A separate empty directory, removed at the end. */
  readonly folder: string
  readonly print: (line: string) => void
}

/** Prints its progress and findings. The caller prints the returned violations. */
export type Prove = (proof: Proof) => Promise<readonly string[]>

const proofs: Readonly<Record<string, Prove>> = {
  inputs: proveInputs,
  secrets: proveSecrets,
  kills: proveKills,
  writers: proveWriters,
}

const usage = `usage: npm run test:endurance -- [${Object.keys(proofs).join("|")}] [--seed N] [--count N] [--only INDEX]`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Runs the requested proofs and returns the exit code: 1 if a promise was broken. */
export async function endure(
  words: readonly string[],
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<number> {
  const asked = readWords(words)
  if (asked === undefined) {
    print(usage)
    return 2
  }
  const { names, seed, count, only } = asked
  let exitCode = 0
  for (const name of names) {
    const own = join(folder, name)
    await mkdir(own)
    print(`${name}: seed ${seed}`)
    const started = performance.now()
    const violations = await proofs[name]!({ seed, count, only, root, folder: own, print })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    for (const violation of violations) print(`  VIOLATION ${violation}`)
    print(`${name}: ${violations.length === 0 ? "held" : `${violations.length} violations`}, ${seconds} s\n`)
    if (violations.length > 0) exitCode = 1
    await rm(own, { recursive: true, force: true })
  }
  return exitCode
}

function readWords(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { seed: { type: "string" }, count: { type: "string" }, only: { type: "string" } },
    })
    const names = positionals.length === 0 ? Object.keys(proofs) : positionals
    if (!names.every((name) => Object.hasOwn(proofs, name))) return undefined
    const seed = readNumber(values.seed) ?? Date.now() % 2 ** 32
    return { names, seed, count: readNumber(values.count), only: readNumber(values.only) }
  } catch {
    return undefined
  }
}

function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`${text} is not a count`)
}
