// The menu of a row of the outline. Its actions are those of the row's page and of the palette.

import { ownOf } from "@callsheet/format"
import { filePath, suiteOf, suiteSubject, type ProjectView, type TestChoice } from "@callsheet/server/calls"
import { showGenerate } from "../../runs/generate/generate-state.ts"
import { copyText } from "../../environments/reveal.ts"
import { showEnvironmentDialog } from "../../environments/environment-commands.ts"
import { announce } from "../../ui/announcement.tsx"
import type { MenuItem } from "../../ui/menu.tsx"
import { requestItems } from "../../requests/request-items.ts"
import type { Route } from "../../routes/route.ts"
import { goTo } from "../../routes/use-route.ts"
import { runBatch, workflowsOfAll } from "../../runs/bar/batch.ts"
import { runWorkflow } from "../../runs/state/starts.ts"
import { createSuite, suiteItems } from "../../runs/suites/suite-items.ts"
import { openTab } from "../../routes/open-tabs.ts"
import { showWorkflowDialog } from "../../blocks/workflow-dialog.ts"
import { workflowItems } from "../../workflow/workflow-commands.ts"
import { workflowGroupId, type OutlineRow } from "./outline.ts"

/** Without items, a row has no menu. `marked` are the workflows and suites that are selected together. */
export function rowItems(
  row: OutlineRow,
  project: ProjectView,
  marked: readonly string[],
): readonly MenuItem[] {
  const { id, route, does, isGone, resource } = row
  const workflows = workflowsOfAll(project)
  if (id === "workflows") return [newWorkflow, ...batchItem("Run all", workflows)]
  if (does === "new-workflow") return [newWorkflow]
  if (does === "new-suite") return [{ label: "New suite…", does: () => createSuite() }]
  if (resource !== undefined) return [generateItem(resource)]
  if (route === undefined)
    return batchItem(
      "Run all",
      workflows.filter((name) => workflowGroupId(name) === id),
    )
  if (marked.length > 1 && marked.includes(subjectOf(row) ?? ""))
    return [
      ...batchItem(`Run ${marked.length.toLocaleString("en")} selected`, marked),
      ...suiteItem(marked.filter((subject) => suiteOf(subject) === undefined)),
    ]
  const run = runOf(row)
  return [
    { label: "Open in new tab", key: "Ctrl click", does: () => openTab(route) },
    ...(run === undefined ? [] : [{ label: "Run", does: run }]),
    ...(isGone === true ? [] : fileItems(route).map(withKey)),
    ...copyItems(route, project),
  ].toSorted((one, other) => Number(one.isDanger === true) - Number(other.isDanger === true))
}

const newWorkflow: MenuItem = { label: "New workflow…", does: () => showWorkflowDialog({ kind: "new" }) }

const generateItem = (choice: TestChoice): MenuItem => ({
  label: "Generate tests…",
  does: () => showGenerate(choice),
})

const batchItem = (label: string, subjects: readonly string[]): readonly MenuItem[] =>
  subjects.length === 0 ? [] : [{ label, does: () => void runBatch(subjects) }]

const suiteItem = (workflows: readonly string[]): readonly MenuItem[] =>
  workflows.length === 0 ? [] : [{ label: "Save selection as suite…", does: () => createSuite(workflows) }]

/** Returns what the row runs: the name of its workflow, or the `suiteSubject` of its suite. */
export function subjectOf({ route, isGone }: Pick<OutlineRow, "route" | "isGone">): string | undefined {
  if (isGone === true) return undefined
  if (route?.kind === "suite") return suiteSubject(route.suite)
  return route?.kind === "workflow" ? route.workflow : undefined
}

/** Shows the workflow or the suite of a row and runs it. Undefined for other rows. */
export function runOf(row: Pick<OutlineRow, "route" | "isGone">): (() => void) | undefined {
  const { route } = row
  const subject = subjectOf(row)
  if (subject === undefined || route === undefined) return undefined
  return () => {
    goTo(route)
    void runWorkflow(subject)
  }
}

const keys: { readonly [label: string]: string } = { "Rename…": "F2", "Delete…": "Del" }

/** The outline has keys for some items. */
function withKey(item: MenuItem): MenuItem {
  const key = ownOf(keys, item.label)
  return key === undefined ? item : { ...item, key }
}

function fileItems(route: Route): readonly MenuItem[] {
  switch (route.kind) {
    case "workflow":
      return [newWorkflow, ...workflowItems(route.workflow)]
    case "request":
      return requestItems(route.api, route)
    case "suite":
      return suiteItems(route.suite)
    case "environment":
      return environmentItems(route)
    case "operation":
      return [generateItem({ api: route.api, operation: `${route.method} ${route.path}` })]
    case "api":
      return [
        generateItem({ api: route.api }),
        { label: "Document changes", does: () => goTo({ kind: "impact", api: route.api }) },
        ...fileItems({ ...route, kind: "environments" }),
      ]
    case "environments":
      return (["new-variable", "new-environment"] as const).map((kind) => ({
        label: kind === "new-variable" ? "New variable…" : "New environment…",
        does: () => {
          goTo({ kind: "environments", api: route.api })
          showEnvironmentDialog({ kind, api: route.api })
        },
      }))
    default:
      return []
  }
}

/** Their dialogs are on the page of the environment. */
function environmentItems(route: Route & { readonly kind: "environment" }): readonly MenuItem[] {
  const { api, environment } = route
  const dialog = (kind: "settings" | "rename-environment" | "delete-environment") => () => {
    goTo(route)
    showEnvironmentDialog({ kind, api, environment })
  }
  return [
    { label: "Settings…", does: dialog("settings") },
    { label: "Open as text", does: () => goTo({ kind: "environment-text", api, environment }) },
    { label: "Rename…", does: dialog("rename-environment") },
    { label: "Delete…", isDanger: true, does: dialog("delete-environment") },
  ]
}

function copyItems(route: Route, project: ProjectView): readonly MenuItem[] {
  const path = pathOf(route, project)
  if (path === undefined) return []
  const copy = async (): Promise<void> =>
    announce((await copyText(path)) === "copied" ? "Copied the path" : "The browser blocked copying.")
  return [{ label: "Copy path", does: () => void copy() }]
}

function pathOf(route: Route, { apis }: ProjectView): string | undefined {
  if (route.kind === "operation") return route.path
  if (route.kind === "settings" || route.kind === "suite") return filePath({ kind: "project" })
  if (route.kind === "baseline") return filePath({ kind: "baseline" })
  if (route.kind === "api") return apis.find(({ name }) => name === route.api)?.document?.file
  return route.kind === "workflow" || route.kind === "request" || route.kind === "environment"
    ? filePath(route)
    : undefined
}
