// Reads from the events of a session how each probe was answered.

import type { EventOf, Finding, Leftover, RunEvent } from "@callsheet/format"
import type { Probe } from "./plan-probes.ts"

export interface SentProbe {
  readonly probe: Probe
  /** Null if the request was sent and no answer arrived. Undefined if no status shows what happened. */
  readonly status: number | null | undefined
  /** Undefined if the checks of the request don't confirm what the probe says about it. */
  readonly isValid: boolean | undefined
  /** The first error of the run with the id of its block, masked. */
  readonly error: string | undefined
}

interface OpenProbe {
  readonly probe: Probe
  /** The ids of its blocks. */
  readonly ids: Map<number, string>
  /** The blocks whose requests wait for their answers. */
  readonly waiting: Set<number>
  call: number | undefined
  isLost: boolean
  isBroken: boolean
  isUnchecked: boolean
  status: number | undefined
  error: { readonly code: string; readonly message: string; readonly block: number | undefined } | undefined
}

/** `probes` has the rows of each workflow, in order. */
export function createProbeFold(groups: ReadonlyMap<Probe["draft"], readonly Probe[]>) {
  const rowsOf = new Map([...groups].map(([draft, probes]) => [draft.workflow, probes]))
  const open = new Map<number, OpenProbe>()
  const sent: SentProbe[] = []
  let requests = 0
  let unreachable: Finding | undefined
  let leftovers: readonly Leftover[] = []
  const listen = (event: RunEvent): void => {
    if (event.type === "leftovers.found") leftovers = event.leftovers
    if (event.type === "run.started") {
      // Workflows that clean up have no rows.
      const probe = rowsOf.get(event.workflow)?.[(event.row ?? 0) - 1]
      if (probe !== undefined) open.set(event.run, openProbe(probe))
      return
    }
    const one = open.get(event.run)
    if (one === undefined) return
    if (event.type === "request.sent") requests++
    if (event.type === "block.finished") unreachable ??= connectionFault(one, event)
    if (event.type !== "run.finished") return hear(one, event)
    open.delete(event.run)
    if (event.error !== undefined) one.error ??= { ...event.error, block: undefined }
    sent.push(answerOf(one))
  }
  return {
    listen,
    /** Returns whether no probe waits for its answer. */
    isIdle: (): boolean => open.size === 0,
    /** Returns the number of requests, without those that clean up. */
    requests: (): number => requests,
    /** Returns why a connection couldn't be opened. Masked. */
    unreachable: (): Finding | undefined => unreachable,
    sent: (): readonly SentProbe[] => sent,
    leftovers: (): readonly Leftover[] => leftovers,
  }
}

export type ProbeFold = ReturnType<typeof createProbeFold>

const openProbe = (probe: Probe): OpenProbe => ({
  probe,
  ids: new Map(),
  waiting: new Set(),
  call: undefined,
  isLost: false,
  isBroken: false,
  isUnchecked: false,
  status: undefined,
  error: undefined,
})

/** Says why a request couldn't be sent, if no connection to the server could be opened. */
function connectionFault(
  { waiting }: OpenProbe,
  { block, error }: EventOf<"block.finished">,
): Finding | undefined {
  if (error === undefined || !waiting.has(block)) return undefined
  const { code, message, hint } = error
  return isConnectionCode(code) ? { code, message, hint } : undefined
}

const isConnectionCode = (code: string): code is "request-failed" | "request-timeout" =>
  code === "request-failed" || code === "request-timeout"

function hear(one: OpenProbe, event: RunEvent): void {
  if (event.type === "request.sent") one.waiting.add(event.block)
  if (event.type === "response.lost" || event.type === "response.received") one.waiting.delete(event.block)
  if (event.type === "block.started") {
    one.ids.set(event.block, event.id)
    if (event.id === one.probe.draft.call) one.call = event.block
  }
  if (event.type === "block.finished" && event.error !== undefined)
    one.error ??= { ...event.error, block: event.block }
  if (!("block" in event) || event.block !== one.call) return
  if (event.type === "response.lost") one.isLost = true
  if (event.type === "response.received") one.status = event.response.status
  if (event.type === "request.checked") {
    one.isBroken = event.problems.length > 0
    one.isUnchecked = event.unchecked !== undefined
  }
}

function answerOf({ probe, ids, call, isLost, isBroken, isUnchecked, status, error }: OpenProbe): SentProbe {
  const isCallFault = error?.block !== undefined && error.block === call && isConnectionCode(error.code)
  const isConfirmed = probe.isValid ? !isBroken : isBroken
  return {
    probe,
    status: status ?? (isLost && isCallFault ? null : undefined),
    isValid: isConfirmed && !(isUnchecked && probe.isValid) ? probe.isValid : undefined,
    error: error && [ids.get(error.block ?? -1) ?? [], error.message].flat().join(": "),
  }
}
