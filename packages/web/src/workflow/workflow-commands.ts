// Dialogs about workflows, and the palette's commands for workflows and for the blocks of the current one.

import { blockKinds } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { create } from "zustand"
import { routeOf } from "../routes/route.ts"
import { commandEntry, type Entry } from "../shell/search/entries.ts"
import type { MenuItem } from "../ui/menu.tsx"
import { visibleText } from "../ui/visible-text.ts"
import {
  add,
  duplicate,
  move,
  remove,
  unwrap,
  wrap,
  wrappingKinds,
  type WorkflowFile,
} from "./block-commands.ts"
import { useShownRows } from "./editor-state.ts"
import { slotFor } from "./block-place.ts"

export function workflowCommands(project: ProjectView): readonly Entry[] {
  const route = routeOf(window.location.hash)
  const create = commandEntry({
    id: "new workflow",
    name: "New workflow",
    route,
    action: () => showWorkflowDialog({ kind: "new" }),
  })
  if (route.kind !== "workflow") return [create]
  return [create, ...ownCommands(route.workflow), ...blockCommands(route.workflow, project)]
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

function blockCommands(workflow: string, project: ProjectView): readonly Entry[] {
  const { shown } = useShownRows.getState()
  if (shown?.workflow !== workflow) return []
  const file: WorkflowFile = { kind: "workflow", workflow }
  const { row, blocks } = shown
  const apis = project.apis.map(({ name }) => name)
  const actions: (readonly [name: string, action: () => void])[] = blockKinds.map((kind) => [
    `Add a ${kind} block`,
    () => add(file, slotFor(row), kind, apis),
  ])
  if (blocks.length > 0)
    actions.push(
      ["Duplicate the selected blocks", () => duplicate(file, blocks)],
      ["Delete the selected blocks", () => remove(file, blocks)],
      ...wrappingKinds.map(
        (kind) => [`Wrap the selected blocks in a ${kind}`, () => wrap(file, blocks, kind)] as const,
      ),
      ["Move the selected blocks up", () => move(file, blocks, "up")],
      ["Move the selected blocks down", () => move(file, blocks, "down")],
      ["Move the selected blocks into the block above", () => move(file, blocks, "in")],
      ["Move the selected blocks out", () => move(file, blocks, "out")],
    )
  if (row?.row === "block" && row.isOpen !== undefined)
    actions.push(["Unwrap the selected block", () => unwrap(file, row.pointer)])
  return actions.map(([name, action]) =>
    commandEntry({
      id: `block ${name}`,
      name,
      detail: workflow,
      route: { kind: "workflow", workflow },
      action,
    }),
  )
}

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
