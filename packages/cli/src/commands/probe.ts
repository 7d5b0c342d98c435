// `callsheet probe`: sends values at and beyond the borders of a contract, and keeps what a server does wrong.

import { createMasker } from "@callsheet/engine"
import { CallsheetError, requireBaseline } from "@callsheet/format"
import type { Command, CommandCall } from "../args/command.ts"
import { readNumber } from "../args/read-option.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, seeHelp } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { findingsIn, isKnown } from "../probe/find-probes.ts"
import { planProbes } from "../probe/plan-probes.ts"
import { printProbes } from "../probe/print-probes.ts"
import { runProbes } from "../probe/run-probes.ts"
import { writeFindings } from "../probe/write-findings.ts"
import { reportError } from "../report-error.ts"
import { readBinding } from "./read-run-options.ts"

/** Returns 1 if anything was found, and 2 if nothing was probed. */
export const probe: Command = async (call) => {
  const { api, operations, max, environments } = readRequest(call)
  const root = await openRoot(call)
  const plan = await planProbes(root, { api, operations })
  const { baselineFile } = plan.project
  const known = (baselineFile && requireBaseline(baselineFile).findings) ?? []
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    const ran = await runProbes(plan, { call, environments, max, signal })
    const all = findingsIn(ran.sent)
    const found = all.filter((one) => !isKnown(known, api, one))
    const mask = createMasker(ran.secrets.map(({ value }) => value))
    const { unreachable } = ran
    const lost =
      unreachable && new CallsheetError({ ...unreachable, message: mask.text(unreachable.message) })
    if (lost !== undefined && found.length === 0) throw lost
    const written = await writeFindings(root, found)
    printProbes(call, { ran, plan, max, written, mask, knownCount: all.length - found.length })
    if (lost !== undefined) reportError(lost, { output: call.screen.err, debug: call.options.has("debug") })
    return exitCode() ?? (found.length > 0 ? 1 : ran.probed === 0 ? 2 : 0)
  })
}

const DEFAULT_MAX = 500

function readRequest({ options }: CommandCall) {
  const api = options.value("api")
  if (api === undefined) throw new CallsheetError(messages.usage.probeApi())
  const wrong = messages.usage.wholeNumber("--max", 1, undefined, seeHelp("probe"))
  const { environment, environments } = readBinding(options)
  return {
    api,
    operations: options.values("operation"),
    max: readNumber(options.value("max"), { pattern: /^[0-9]{1,9}$/, min: 1, wrong }) ?? DEFAULT_MAX,
    environments: { environment, environments },
  }
}
