// Proof: no input makes a reader or a check throw, hang, return something else the second time, or point outside the
// file.

import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Proof } from "./endurance.ts"
import type { WorkerData, WorkerReport } from "./input-worker.ts"
import { proveValidate } from "./validate-inputs.ts"

const ALL = 1_000_000
/** One of this many inputs goes through the command. */
const COMMAND_SHARE = 250
/** A thread that takes longer for one input is considered hung. */
const HANG_MS = 20_000
/** Two at most, because others use the machine too. */
const WORKERS = Math.min(2, availableParallelism())

export async function proveInputs(proof: Proof): Promise<readonly string[]> {
  const { seed, count = ALL, only, print } = proof
  const [first, end] = only === undefined ? [0, count] : [only, only + 1]
  const places = new Int32Array(new SharedArrayBuffer(4 * (WORKERS + 1)))
  places[0] = first
  const block = Math.max(1, Math.min(500, Math.ceil((end - first) / WORKERS)))
  const shared = { root: proof.root, seed, end, block, places }
  const progress = setInterval(() => print(`  ... ${Math.min(end, places[0] ?? 0) - first}`), 60_000)
  const reports = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => runWorker({ ...shared, worker })),
  )
  clearInterval(progress)
  printReports(reports, end - first, print)
  const found = reports.flatMap(({ violations }) => violations)
  const sample = Math.max(1, Math.ceil((end - first) / COMMAND_SHARE))
  return [...found, ...(await proveValidate(proof, { first, count: sample }))]
}

async function runWorker(data: WorkerData): Promise<WorkerReport> {
  const worker = new Worker(new URL("./input-worker.mjs", import.meta.url), { workerData: data })
  const at = () => Atomics.load(data.places, data.worker + 1)
  return new Promise((resolve) => {
    const fail = (what: string) => {
      clearInterval(watch)
      resolve({ ...nothing, violations: [`input ${at()} ${what} (--seed ${data.seed} --only ${at()})`] })
      void worker.terminate()
    }
    const watch = watchFor(at, () => fail(`has not ended after ${HANG_MS} ms`))
    worker.on("error", (error) => fail(`has ended its thread: ${String(error)}`))
    worker.on("exit", () => fail("was the last before its thread ended"))
    worker.on("message", (report: WorkerReport) => {
      clearInterval(watch)
      resolve(report)
    })
  })
}

/** Calls `onHang` when a number has stayed the same for too long. */
function watchFor(at: () => number, onHang: () => void): NodeJS.Timeout {
  let seen = { index: at(), since: performance.now() }
  return setInterval(() => {
    const now = performance.now()
    if (at() !== seen.index) seen = { index: at(), since: now }
    else if (now - seen.since > HANG_MS) onHang()
  }, 500)
}

const nothing: WorkerReport = {
  byKind: {},
  broken: 0,
  problems: 0,
  worst: { ms: 0, index: 0 },
  corpusSize: 0,
  violations: [],
}

function printReports(reports: readonly WorkerReport[], count: number, print: (line: string) => void): void {
  const kinds = [...new Set(reports.flatMap(({ byKind }) => Object.keys(byKind)))].sort()
  const sum = (of: (report: WorkerReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  const checked = sum(({ byKind }) => Object.values(byKind).reduce((total, times) => total + times, 0))
  const worst = reports.map((report) => report.worst).reduce((a, b) => (b.ms > a.ms ? b : a))
  print(
    `  ${checked} of ${count} inputs, from ${Math.max(...reports.map(({ corpusSize }) => corpusSize))} valid files`,
  )
  print(`  ${kinds.map((kind) => `${kind} ${sum(({ byKind }) => byKind[kind] ?? 0)}`).join(", ")}`)
  print(
    `  ${sum(({ broken }) => broken)} had problems, ${sum(({ problems }) => problems)} of them, each in its file`,
  )
  print(`  the slowest took ${worst.ms.toFixed(0)} ms (index ${worst.index})`)
}
