// The lines that `callsheet mock` prints: the URLs of the APIs, then one line per request.

import { formatDuration, stringifyJson, type ContractProblem } from "@callsheet/format"
import type { MockCall } from "@callsheet/mock"
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

function problemText({ path, message, file, line }: ContractProblem): string {
  const text = path === "" ? message : `${path}: ${message}`
  return file === undefined ? text : `${text} (${file}:${line ?? 1})`
}
