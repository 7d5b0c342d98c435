// Runs every faulty script in every kind of block, and checks the block's report and whether the run continues.

import type { BlockReport, Report } from "@callsheet/format"
import type { FaultyScript } from "../../packages/engine/src/node/script/testing/faulty-script.ts"
import { callsheet, type CallResult } from "../harness/callsheet.ts"
import { blockAt, blockOf, places, seenAt, untouched, type Place } from "./places.ts"

export interface Verdict {
  readonly calls: number
  /** Blocks with an unexpected report. */
  readonly wrong: readonly string[]
  /** Runs that did not continue, or whose next script noticed effects of the previous one. */
  readonly down: readonly string[]
}

interface Trial {
  readonly fault: FaultyScript
  readonly workflow: string
  readonly places: readonly Place[]
}

/** Runs all scripts by one command, with a workflow for each. */
export async function judge(faults: readonly FaultyScript[]): Promise<Verdict> {
  const trials = faults.map((fault, index) => ({ fault, workflow: `f-${index}`, places: placesOf(fault) }))
  const files = Object.assign({}, ...trials.map(filesOf)) as Record<string, unknown>
  const words = ["run", "--all", "--on-failure", "continue", "--reporter", "json"]
  const result = await callsheet(words, { files, timeoutMs: 900_000 })
  return {
    calls: trials.reduce((sum, trial) => sum + trial.places.length, 0),
    wrong: trials.flatMap((trial) => wrongIn(trial, result.report)),
    down: [...commandFaults(result), ...trials.flatMap((trial) => downIn(trial, result.report))],
  }
}

function placesOf({ options }: FaultyScript): readonly Place[] {
  if (options?.kind === "condition") return ["condition", "until"]
  return options?.kind === "transform" ? ["transform"] : places
}

const afterwards = (place: Place): string => `after-${place}`

function filesOf({ fault, workflow, places }: Trial): Record<string, unknown> {
  const { exportName = "fn", timeoutMs } = fault.options ?? {}
  const blocks = places.flatMap((place) => [
    blockAt(place, {
      id: place,
      script: { name: "faulty", exportName },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
    { id: afterwards(place), type: "script", script: { name: "untouched", exportName: "fn" } },
  ])
  return {
    [`apis/workflow/${workflow}.json`]: { version: 1, blocks },
    [`apis/workflow/scripts/${workflow}/faulty.ts`]: fault.script,
    [`apis/workflow/scripts/${workflow}/untouched.ts`]: untouched,
  }
}

function wrongIn({ fault, workflow, places }: Trial, report: Report | undefined): readonly string[] {
  if (fault.refused !== undefined) {
    const isRefused = hasProblem(report, workflow, fault.refused)
    return isRefused ? [] : [`${fault.fault}: no ${fault.refused} kept the run from starting`]
  }
  return places.flatMap((place) =>
    faultsOf(fault, blockOf(report, workflow, place)).map((wrong) => `${fault.fault} in ${place}: ${wrong}`),
  )
}

/** An error that is found before the run prevents the whole run, and is reported with its position in a file. */
function hasProblem(report: Report | undefined, workflow: string, code: string): boolean {
  const run = report?.runs.find((run) => run.workflow === workflow)
  const problems = run?.error?.problems ?? []
  return run?.status === "error" && problems.some((problem) => problem.code === code && isAt(problem.file))
}

const isAt = (file: string | undefined): boolean =>
  file !== undefined && /^apis\/workflow\/(?:f-\d+\.json|scripts\/f-\d+\/faulty\.ts)$/.test(file)

function faultsOf({ code, says }: FaultyScript, block: BlockReport | undefined): readonly string[] {
  const seen = seenAt(block)
  const expected = code === undefined ? "passed" : "failed"
  if (seen.status !== expected || seen.code !== code)
    return [`the result is ${JSON.stringify(seen).slice(0, 300)}`]
  const text = code === undefined ? seen.logs.join("\n") : (seen.message ?? "")
  const faults =
    says === undefined || says.test(text) ? [] : [`the report is ${JSON.stringify(text.slice(0, 300))}`]
  return /\[object Object\]|callsheet-test-/.test(text)
    ? [...faults, "it names what is not the user's"]
    : faults
}

function downIn({ fault, workflow, places }: Trial, report: Report | undefined): readonly string[] {
  if (fault.refused !== undefined) return []
  return places.flatMap((place) => {
    const { status, message } = seenAt(blockOf(report, workflow, afterwards(place)))
    return status === "passed"
      ? []
      : [`${fault.fault} in ${place}: the next script is ${status} ${message ?? ""}`]
  })
}

function commandFaults({ exitCode, signal, stderr, report }: CallResult): readonly string[] {
  if (exitCode === 2 && report?.status === "error" && !stderr.includes("a bug in callsheet")) return []
  return [`the command exited with ${exitCode ?? signal}: ${stderr.slice(0, 500)}`]
}
