// Dialogs about workflows, and the palette's commands for them.

import { showWorkflowDialog } from "../blocks/workflow-dialog.ts"
import { routeOf } from "../routes/route.ts"
import { commandEntry, type Entry } from "../search/entries.ts"
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

export const workflowItems = (name: string): readonly MenuItem[] => [
  { label: "Rename…", does: () => showWorkflowDialog({ kind: "rename", workflow: name }) },
  { label: "Duplicate…", does: () => showWorkflowDialog({ kind: "duplicate", workflow: name }) },
  { label: "Delete…", isDanger: true, does: () => showWorkflowDialog({ kind: "delete", workflow: name }) },
]
