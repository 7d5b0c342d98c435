// `callsheet.sendRequest`: sends a saved request as the editor shows it, saved or not, and tells what it received.

import { CallsheetError, isEnvironmentName, type BlockReport, type RunReport } from "@callsheet/format"
import { messages, outcomes } from "../messages.ts"
import type { RunCommand } from "./command.ts"
import { withProgress } from "./progress.ts"
import { requireRuns } from "./run-workflow.ts"

const expected = "{ uri, environment? }, the URI of a saved request"

export const sendRequest: RunCommand = async (argument, call) => {
  const { context } = call
  const { uri, environment } = { ...(argument as Record<string, unknown> | undefined) }
  const place = typeof uri === "string" ? context.place({ uri }) : undefined
  const isName = typeof environment === "string" && isEnvironmentName(environment)
  const file = place?.file.is
  if (place === undefined || file?.kind !== "request" || (environment !== undefined && !isName))
    throw new CallsheetError(messages.usage.argument("callsheet.sendRequest", expected))
  const runs = requireRuns(call)
  const { api, resource, request } = file
  const order = { root: place.view.root, api, resource, request, environment, text: place.file.text }
  const name = `${resource}/${request}`
  const { report, isCancelled } = await withProgress(call, `Send ${name}`, async ({ signal }) => {
    const sent = await runs.send(order, signal)
    return { report: sent, isCancelled: signal.aborted }
  })
  const [run] = report.runs
  const [block] = run?.blocks ?? []
  const message = isCancelled ? outcomes.cancelled(name) : describe(name, run, block)
  const isReceived = block?.response !== undefined
  context.client.notify("window/showMessage", { type: isReceived || isCancelled ? 3 : 1, message })
  return { status: report.status, message, request: block?.request, response: block?.response }
}

function describe(name: string, run: RunReport | undefined, block: BlockReport | undefined): string {
  const { response, error } = { ...block }
  if (response !== undefined) {
    const sent = outcomes.sent(name, response.status, response.durationMs)
    return error === undefined ? sent : `${sent}: ${error.message}`
  }
  const reason = error?.message ?? run?.error?.problems[0]?.message ?? run?.error?.message ?? ""
  return outcomes.refused(name, reason)
}
