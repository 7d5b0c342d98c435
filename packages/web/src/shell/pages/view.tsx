// The main pane: the view of the selected route.

import { useEffect } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useUnsavedFiles } from "../../files/use-unsaved-files.ts"
import { EnvironmentTextPage } from "./environment-text-page.tsx"
import { useRoute } from "../../routes/use-route.ts"
import { later } from "../../ui/later.tsx"
import { ApiPage } from "./api-page.tsx"
import { ProblemsPage } from "./problems-page.tsx"
import { Overview } from "./overview.tsx"
import { Missing } from "../../files/page-parts.tsx"

const Loading = () => <p className="waiting">Loading…</p>

// They aren't part of what opens the page.
const [OperationPage, loadOperationPage] = later(
  async () => (await import("../../requests/operation-page.tsx")).OperationPage,
  Loading,
)
const [RequestPage, loadRequestPage] = later(
  async () => (await import("../../requests/request-page.tsx")).RequestPage,
  Loading,
)
const [WorkflowPage, loadWorkflowPage] = later(
  async () => (await import("../../workflow/workflow-page.tsx")).WorkflowPage,
  Loading,
)
const [SuitePage] = later(async () => (await import("../../runs/suites/suite-page.tsx")).SuitePage, Loading)
const [SettingsPage] = later(
  async () => (await import("../settings/settings-page.tsx")).SettingsPage,
  Loading,
)
const [ImpactPage] = later(async () => (await import("./impact-page.tsx")).ImpactPage, Loading)
const [BaselinePage] = later(
  async () => (await import("../settings/baseline-page.tsx")).BaselinePage,
  Loading,
)
const [SendPage] = later(async () => (await import("./send-page.tsx")).SendPage, Loading)
const [ScriptPage] = later(async () => (await import("./script-page.tsx")).ScriptPage, Loading)
const [EnvironmentsPage] = later(
  async () => (await import("../../environments/environments-page.tsx")).EnvironmentsPage,
  Loading,
)

/** The main pane. After its first paint, it loads the pages that are opened most, so that they open at once. */
export function View({ project }: { readonly project: ProjectView }) {
  useEffect(() => {
    for (const load of [loadWorkflowPage, loadOperationPage, loadRequestPage]) void load()
  }, [])
  const route = useRoute()
  if (route.kind === "overview") return <Overview project={project} />
  if (route.kind === "problems") return <ProblemsPage />
  if (route.kind === "send") return <SendPage />
  if (route.kind === "settings") return <SettingsPage project={project} />
  if (route.kind === "baseline") return <BaselinePage />
  if (route.kind === "suite") return <SuitePage key={route.suite} suite={route.suite} project={project} />
  if (route.kind === "workflow") {
    const workflow = project.workflows.find(({ name }) => name === route.workflow)
    return workflow === undefined ? (
      <GoneWorkflow name={route.workflow} />
    ) : (
      <WorkflowPage workflow={workflow} />
    )
  }
  if (route.kind === "script")
    return (
      <ScriptPage key={`${route.workflow}/${route.script}`} workflow={route.workflow} script={route.script} />
    )
  const api = project.apis.find(({ name }) => name === route.api)
  if (api === undefined) return <Missing what="API" name={route.api} />
  if (route.kind === "api") return <ApiPage api={api} />
  if (route.kind === "impact") return <ImpactPage key={api.name} api={api} />
  if (route.kind === "operation")
    return <OperationPage key={`${route.method} ${route.path}`} api={api} route={route} />
  if (route.kind === "environments" || route.kind === "environment")
    return (
      <EnvironmentsPage
        key={api.name}
        api={api}
        environment={route.kind === "environment" ? route.environment : undefined}
      />
    )
  if (route.kind === "environment-text")
    return <EnvironmentTextPage api={api.name} environment={route.environment} />
  return <RequestPage api={api} resource={route.resource} name={route.request} />
}

/** A workflow without a file. With unsaved changes, it can still be saved. */
function GoneWorkflow({ name }: { readonly name: string }) {
  const isUnsaved = useUnsavedFiles().some((file) => file.kind === "workflow" && file.workflow === name)
  return isUnsaved ? <WorkflowPage workflow={{ name, apis: [] }} /> : <Missing what="workflow" name={name} />
}
