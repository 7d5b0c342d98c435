// A thread that checks inputs: takes blocks of indexes until none are left.

import { parentPort, workerData } from "node:worker_threads"
import { InputChecker } from "./check-input.ts"

export interface WorkerData {
  readonly root: string
  readonly seed: number
  readonly end: number
  readonly block: number
  /** The next free index, and the current index of each worker. */
  readonly places: Int32Array
  readonly worker: number
}

export interface WorkerReport {
  readonly byKind: Readonly<Record<string, number>>
  readonly broken: number
  readonly problems: number
  readonly worst: { readonly ms: number; readonly index: number }
  readonly corpusSize: number
  readonly violations: readonly string[]
}

const MAX_MS = 2_000
const MAX_VIOLATIONS = 20

const { root, seed, end, block, places, worker } = workerData as WorkerData
const checker = new InputChecker(root, seed)
const byKind: Record<string, number> = {}
const violations: string[] = []
let broken = 0
let problems = 0
let worst = { ms: 0, index: 0 }

for (let from = take(); from < end && violations.length < MAX_VIOLATIONS; from = take()) {
  for (let index = from; index < Math.min(end, from + block); index++) await checkOne(index)
}
Atomics.store(places, worker + 1, -1)
const report: WorkerReport = { byKind, broken, problems, worst, corpusSize: checker.corpusSize, violations }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window's
parentPort?.postMessage(report)

function take(): number {
  return Atomics.add(places, 0, block)
}

async function checkOne(index: number): Promise<void> {
  Atomics.store(places, worker + 1, index)
  const started = performance.now()
  const checked = await checker.check(index)
  const ms = performance.now() - started
  if (ms > worst.ms) worst = { ms, index }
  byKind[checked.file.kind] = (byKind[checked.file.kind] ?? 0) + 1
  if (checked.problems > 0) broken++
  problems += checked.problems
  const late = ms > MAX_MS ? [`took ${Math.round(ms)} ms`] : []
  for (const what of [...checked.violations, ...late]) {
    violations.push(`input ${index}, from ${checked.file.path}: ${what} (--seed ${seed} --only ${index})`)
  }
}
