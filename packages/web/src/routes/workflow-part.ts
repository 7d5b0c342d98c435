// Which part of a workflow's page is shown, kept across reloads.

import { create } from "zustand"
import { keep, readKept } from "../connection/window-storage.ts"

export const workflowParts = ["editor", "map", "json", "scripts", "runs"] as const

export type WorkflowPart = (typeof workflowParts)[number]

const useParts = create<{ readonly parts: ReadonlyMap<string, WorkflowPart> }>(() => ({ parts: new Map() }))

/** The key under which a reload finds the part that was shown. */
const partKey = (workflow: string): string => `callsheet part of ${workflow}`

function keptPart(workflow: string): WorkflowPart {
  const kept = readKept(partKey(workflow))
  return workflowParts.find((part) => part === kept) ?? "editor"
}

export const useWorkflowPart = (workflow: string): WorkflowPart =>
  useParts(({ parts }) => parts.get(workflow)) ?? keptPart(workflow)

export function showPart(workflow: string, part: WorkflowPart): void {
  keep(partKey(workflow), part)
  useParts.setState(({ parts }) => ({ parts: new Map(parts).set(workflow, part) }))
}
