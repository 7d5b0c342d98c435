// The main pane: the view of the selected route.

import type { ProjectView } from "@callsheet/server/calls"
import { useUnsavedFiles } from "../editing/use-unsaved-files.ts"
import { EnvironmentTextPage } from "../environments/environment-text-page.tsx"
import { EnvironmentsPage } from "../environments/environments-page.tsx"
import { useRoute } from "../routes/use-route.ts"
import { ScriptPage } from "../scripts/script-page.tsx"
import { ApiPage } from "./api-page.tsx"
import { Missing } from "./missing.tsx"
import { OperationPage } from "./operation-page.tsx"
import { Overview } from "./overview.tsx"
import { ProblemsPage } from "./problems-page.tsx"
import { RequestPage } from "./request-page.tsx"
import { WorkflowPage } from "./workflow-page.tsx"

export function View({ project }: { readonly project: ProjectView }) {
  const place = useRoute()
  if (place.kind === "overview") return <Overview project={project} />
  if (place.kind === "problems") return <ProblemsPage />
  if (place.kind === "workflow") {
    const workflow = project.workflows.find(({ name }) => name === place.workflow)
    return workflow === undefined ? (
      <GoneWorkflow name={place.workflow} />
    ) : (
      <WorkflowPage workflow={workflow} />
    )
  }
  if (place.kind === "script")
    return (
      <ScriptPage key={`${place.workflow}/${place.script}`} workflow={place.workflow} script={place.script} />
    )
  const api = project.apis.find(({ name }) => name === place.api)
  if (api === undefined) return <Missing what="API" name={place.api} />
  if (place.kind === "api") return <ApiPage api={api} />
  if (place.kind === "operation")
    return <OperationPage key={`${place.method} ${place.path}`} api={api} place={place} />
  if (place.kind === "environments" || place.kind === "environment")
    return (
      <EnvironmentsPage
        key={api.name}
        api={api}
        environment={place.kind === "environment" ? place.environment : undefined}
      />
    )
  if (place.kind === "environment-text")
    return <EnvironmentTextPage api={api.name} environment={place.environment} />
  return <RequestPage api={api} resource={place.resource} name={place.request} />
}

/** A workflow whose file is gone: with unsaved changes it can still be saved, otherwise it is missing. */
function GoneWorkflow({ name }: { readonly name: string }) {
  const isUnsaved = useUnsavedFiles().some((file) => file.kind === "workflow" && file.workflow === name)
  return isUnsaved ? <WorkflowPage workflow={{ name, apis: [] }} /> : <Missing what="workflow" name={name} />
}
