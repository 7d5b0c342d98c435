// The lines that `callsheet mock` prints: the URLs of the APIs, then one per request and per change of a document.

import {
  formatDuration,
  stringifyJson,
  type CallsheetError,
  type ContractProblem,
  type Problem,
} from "@callsheet/format"
import type { MockCall } from "@callsheet/mock"
import { notices } from "../messages.ts"
import type { Style } from "../screen.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { printable } from "../text/printable.ts"

export const urlsText = (urls: ReadonlyMap<string, string>): string =>
  [...urls].map(([api, url]) => `${api} ${url}\n`).join("")

export const jsonLine = (value: object): string => breakCommandsInJson(`${stringifyJson(value)}\n`)

export function callJson({
  api,
  method,
  target,
  status,
  durationMs,
  operation,
  refusal,
  contract,
  tolerated,
}: MockCall): object {
  return {
    api,
    method,
    target,
    status,
    durationMs: Math.round(durationMs),
    ...(operation === undefined ? {} : { operation: operation.name }),
    ...(refusal === undefined
      ? {}
      : { code: refusal.code, message: refusal.message, errors: refusal.problems }),
    ...(tolerated.length === 0 ? {} : { errors: tolerated }),
    ...(contract?.status === "failed" ? { responseErrors: contract.problems } : {}),
  }
}

export function callText(call: MockCall, style: Style): string {
  const { api, method, target, status, durationMs, refusal, contract, tolerated } = call
  const shown = style(status < 400 ? "green" : status < 500 ? "yellow" : "red", String(status))
  const [problem] = refusal?.problems ?? tolerated
  const reason = problem === undefined ? refusal?.message : problemText(problem)
  const head = `${api} ${method} ${printable(target)} ${shown} ${formatDuration(durationMs)}`
  const lines = [reason === undefined ? head : `${head} ${printable(reason)}`]
  if (contract?.status === "failed")
    for (const one of contract.problems)
      lines.push(
        `  ${style("yellow", "warning:")} the response doesn't match the document: ${printable(problemText(one))}`,
      )
  return `${lines.join("\n")}\n`
}

/** A change of a document while its mock runs. */
export interface DocumentChange {
  readonly api: string
  readonly file: string
  /** Why the mock keeps the last version. Absent if it answers from the new one. */
  readonly error?: CallsheetError | undefined
}

export function documentJson({ api, file, error }: DocumentChange): object {
  if (error === undefined) return { api, document: file }
  const { code, message, problems } = error
  return { api, document: file, code, message, errors: problems }
}

export function documentText({ api, file, error }: DocumentChange, style: Style): string {
  if (error === undefined) return `${api} ${printable(notices.documentReloaded(file))}\n`
  const [{ file: broken = file, line } = {}] = error.problems as readonly Partial<Problem>[]
  const place = line === undefined ? broken : `${broken}:${line}`
  return `${api} ${style("yellow", "warning:")} ${printable(notices.documentKept(place, error.message))}\n`
}

function problemText({ path, message, file, line }: ContractProblem): string {
  const text = path === "" ? message : `${path}: ${message}`
  return file === undefined ? text : `${text} (${file}:${line ?? 1})`
}
