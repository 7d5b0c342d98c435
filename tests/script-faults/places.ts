// The five kinds of blocks that run scripts, and how a report describes them.

import type { BlockReport, Report } from "@callsheet/format"

export const places = ["assert", "condition", "transform", "script", "until"] as const
export type Place = (typeof places)[number]

export interface ScriptAt {
  readonly id: string
  readonly script: { readonly name: string; readonly exportName: string }
  readonly timeoutMs?: number
}

/** A block that calls the script and depends on nothing else. */
export function blockAt(place: Place, at: ScriptAt): object {
  const inner = [{ id: `${at.id}-inner`, type: "assert", assertions: [] }]
  switch (place) {
    case "condition":
      return { ...at, type: place, then: inner }
    case "until":
      return { ...at, type: "loop", mode: "until", maxIterations: 1, blocks: inner }
    default:
      return { ...at, type: place }
  }
}

/** A block's report on its script. */
export interface Seen {
  readonly status: string
  readonly reason?: string
  readonly code?: string
  readonly message?: string
  readonly logs: readonly string[]
}

export function seenAt(block: BlockReport | undefined): Seen {
  if (block === undefined) return { status: "absent", logs: [] }
  const { status, reason, error, logs = [] } = block
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
    logs,
  }
}

/** The block of a workflow with that id, not searching containers. */
export const blockOf = (report: Report | undefined, workflow: string, id: string): BlockReport | undefined =>
  report?.runs.find((run) => run.workflow === workflow)?.blocks.find((block) => block.id === id)

/** A script that passes if no effect of the previous scripts is left. */
export const untouched = `
export const fn = (ctx: any) => {
  const left = [({} as any).polluted, process.env.SC10, JSON.stringify([1].map((n) => n)) === "[1]" ? undefined : "JSON"]
  if (process.cwd() === "/") left.push("the working directory")
  if (!fetch.toString().includes("native") && fetch.name !== "fetch") left.push("fetch")
  if (left.some((value) => value !== undefined)) throw new Error("left: " + left.join(", "))
}
`
