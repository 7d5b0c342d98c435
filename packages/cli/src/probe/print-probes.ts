// Prints what probes found.

import type { Masker } from "@callsheet/engine"
import { stringifyJson } from "@callsheet/format"
import { PROBE } from "@callsheet/language"
import type { CommandCall } from "../args/command.ts"
import { notices } from "../messages.ts"
import type { Output } from "../screen.ts"
import { foldPaths } from "../text/fold-paths.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import type { ProbeFinding, ProbeReport } from "./find-probes.ts"
import type { ProbePlan } from "./plan-probes.ts"
import type { SentProbe } from "./probe-fold.ts"
import type { ProbesRun } from "./run-probes.ts"
import type { WrittenFindings } from "./write-findings.ts"

export interface PrintedProbes {
  readonly plan: ProbePlan
  readonly ran: ProbesRun
  readonly max: number
  readonly written: WrittenFindings
  readonly mask: Pick<Masker, "text" | "value">
  /** The number of findings that the baseline lists. */
  readonly knownCount: number
}

const MAX_FILES = 12

/** The longest value to show on a line. */
const MAX_VALUE = 40

export function printProbes({ screen: { out, err }, options }: CommandCall, printed: PrintedProbes): void {
  const { ran, written, max } = printed
  const findings = written.findings.map((one) => masked(one, printed))
  const isJson = options.has("json")
  const report: ProbeReport = { requests: ran.requests, findings }
  if (isJson) out.write(jsonDocument(report), "exact")
  else {
    // Nothing was looked for. The problems on standard error say why.
    if (ran.requests > 0) printFindings(out, findings, printed)
    if (written.files.length > 0) {
      out.write(`\n${notices.importedFiles(written.files.length, false)}\n`)
      const listed = foldPaths(written.files, MAX_FILES)
      out.write(listed.map((file) => `  ${printable(file)}\n`).join(""))
      out.write(`\n${notices.runGenerated(PROBE)}\n`)
    }
  }
  for (const line of skippedLines(printed)) err.write(`${printable(line)}\n`)
  if (ran.leftOut > 0) err.write(`${notices.probesLeftOut(ran.leftOut, max)}\n`)
  for (const { operation, url, unknown } of ran.leftovers)
    err.write(`${printable(notices.leftover(operation, url, unknown === true))}\n`)
}

function printFindings(
  out: Output,
  findings: readonly ProbeFinding[],
  { ran, knownCount }: PrintedProbes,
): void {
  const counts = {
    requests: ran.requests,
    operations: ran.probed,
    findings: findings.length,
    known: knownCount,
  }
  for (const { operation, parameter, value, status, kind, workflow, row } of findings) {
    const text = stringifyJson(value)
    const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
    const answer = status === null ? "no answer" : String(status)
    const place = `${workflow}, row ${row}`
    out.write(`${printable(`${kind}  ${operation}  ${parameter}  ${short}  ${answer}  (${place})`)}\n`)
  }
  if (findings.length > 0) out.write("\n")
  out.write(`${notices.probed(counts)}\n`)
}

function masked(finding: ProbeFinding, { mask }: PrintedProbes): ProbeFinding {
  const { operation, parameter, value } = finding
  return {
    ...finding,
    operation: mask.text(operation),
    parameter: mask.text(parameter),
    value: mask.value(value),
  }
}

/** Returns the operations that were not probed, with their reasons. */
function skippedLines({ plan, ran, mask }: PrintedProbes): readonly string[] {
  return [
    ...plan.skipped.map(({ operation, reason }) =>
      notices.notProbed(mask.text(operation), mask.text(reason)),
    ),
    ...ran.refused.map((sent) =>
      notices.notProbed(mask.text(sent.probe.draft.operation.name), refusalOf(sent)),
    ),
    ...plan.cut.map((operation) => notices.manyProbes(mask.text(operation))),
    ...(ran.probed === 0 ? [notices.nothingProbed()] : []),
  ]
}

/** Says why the valid request of an operation doesn't count as one. The error is masked. */
function refusalOf({ status, isValid, error }: SentProbe): string {
  if (typeof status === "number")
    return status < 400 && isValid !== true ? notices.invalidBase() : notices.refusedValid(status)
  return error ?? notices.notAnswered()
}
