// The choices for running a workflow: an environment for each API, and values of inputs.

import {
  CallsheetError,
  ownOf,
  touchedApis,
  type InputDeclaration,
  type Project,
  type Workflow,
} from "@callsheet/format"
import type { RunForm, RunFormApi, RunFormInput } from "../calls/index.ts"
import { environmentViews } from "../project/project-view.ts"
import type { Masker } from "../secrets/secrets-masker.ts"
import { messages } from "../messages.ts"

interface RunFormRequest {
  readonly project: Project
  readonly workflow: string
  readonly last: Readonly<Record<string, string>>
  /** Returns the environment that any run last used for an API. Used if the workflow's last run didn't use the API. */
  readonly lastOf: (api: string) => string | undefined
  readonly masker: Masker
}

export function runForm(request: RunFormRequest): RunForm {
  const { project, workflow: name, masker } = request
  const { blocks, inputs = {} } = readableWorkflow(request)
  return {
    workflow: name,
    apis: touchedApis(blocks).flatMap((api) =>
      runFormApi(project, api, { last: ownOf(request.last, api), lastElsewhere: request.lastOf(api) }),
    ),
    inputs: Object.entries(inputs).map(([input, declaration]) => runFormInput(input, declaration, masker)),
  }
}

function readableWorkflow({ project, workflow: name, masker }: RunFormRequest): Workflow {
  const file = project.workflows.get(name)
  if (file?.workflow !== undefined) return file.workflow
  const problem = file?.problems.find(({ severity }) => severity === "error")
  const { code, message } = problem ?? messages["workflow-unknown"].unreadable()
  throw new CallsheetError({ code, message: masker.text(message) })
}

/** Returns the choices for an API, if it exists. Preselects production only if the workflow's last run used it. */
export function runFormApi(
  project: Project,
  api: string,
  { last, lastElsewhere }: Partial<Record<"last" | "lastElsewhere", string | undefined>>,
): readonly RunFormApi[] {
  const files = project.apis.get(api)?.environments
  if (files === undefined) return []
  const environments = environmentViews(files)
  const chosen =
    environments.find(({ name }) => name === last) ??
    environments.find(({ name, level }) => name === lastElsewhere && level !== "production") ??
    (environments.length === 1 ? environments[0] : undefined)
  return [{ api, environments, chosen: chosen?.name }]
}

function runFormInput(
  name: string,
  { type, required, default: value, description }: InputDeclaration,
  masker: Masker,
): RunFormInput {
  return {
    name,
    type,
    required: required === true && value === undefined,
    default: value === undefined ? undefined : masker.value(value),
    description: description && masker.text(description),
  }
}
