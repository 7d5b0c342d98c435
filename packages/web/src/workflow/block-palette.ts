// The palette's commands for the blocks of the workflow that is shown.

import { blockKinds } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { routeOf } from "../routes/route.ts"
import { commandEntry, type Entry } from "../search/entries.ts"
import { add, duplicate, move, remove, unwrap, wrap, wrappingKinds } from "./outline/block-commands.ts"
import { slotFor, type WorkflowFile } from "../blocks/block-place.ts"
import { useShownRows } from "../blocks/editor-state.ts"

export function blockCommands(project: ProjectView): readonly Entry[] {
  const route = routeOf(window.location.hash)
  const { shown } = useShownRows.getState()
  if (route.kind !== "workflow" || shown?.workflow !== route.workflow) return []
  const { workflow } = route
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
