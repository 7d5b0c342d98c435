// Dialogs about workflows, and the palette's commands for them.

import { create } from "zustand"
import { routeOf } from "../routes/route.ts"
import { commandEntry, type Entry } from "../shell/search/entries.ts"
import type { MenuItem } from "../ui/menu.tsx"
import { visibleText } from "../ui/visible-text.ts"

export function workflowCommands(): readonly Entry[] {
  const route = routeOf(window.location.hash)
  const create = commandEntry({
    id: "new workflow",
    name: "New workflow",
    route,
    action: () => showWorkflowDialog({ kind: "new" }),
  })
  return route.kind === "workflow" ? [create, ...ownCommands(route.workflow)] : [create]
}

const ownCommands = (workflow: string): readonly Entry[] =>
  (["rename", "duplicate", "delete"] as const).map((kind) =>
    commandEntry({
      id: `${kind} workflow`,
      name: `${kind[0]?.toUpperCase()}${kind.slice(1)} workflow ${visibleText(workflow)}`,
      route: { kind: "workflow", workflow },
      action: () => showWorkflowDialog({ kind, workflow }),
    }),
  )

type WorkflowDialog =
  /** `from` is the JSON of the first block. */
  | { readonly kind: "new"; readonly from?: string }
  | { readonly kind: "rename" | "duplicate" | "delete"; readonly workflow: string }

export const useWorkflowDialog = create<{ readonly shown: WorkflowDialog | undefined }>(() => ({
  shown: undefined,
}))

export const showWorkflowDialog = (shown: WorkflowDialog | undefined): void =>
  useWorkflowDialog.setState({ shown })

export const workflowItems = (name: string): readonly MenuItem[] => [
  { label: "Rename…", does: () => showWorkflowDialog({ kind: "rename", workflow: name }) },
  { label: "Duplicate…", does: () => showWorkflowDialog({ kind: "duplicate", workflow: name }) },
  { label: "Delete…", isDanger: true, does: () => showWorkflowDialog({ kind: "delete", workflow: name }) },
]
