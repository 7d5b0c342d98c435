// What has to be chosen before a workflow can run: an environment of each API, and values of inputs.

import {
  CallsheetError,
  touchedApis,
  type InputDeclaration,
  type Project,
  type Workflow,
} from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import type { RunForm, RunFormApi, RunFormInput } from "../../api.ts"
import { environmentViews } from "../project/project-view.ts"

export interface RunFormRequest {
  readonly project: Project
  readonly workflow: string
  /** Environments of the last run, by API. */
  readonly last: Readonly<Record<string, string>>
  readonly masker: Masker | undefined
}

/** Throws the first problem of a workflow that cannot be read. */
export function runForm(request: RunFormRequest): RunForm {
  const { project, workflow: name, masker } = request
  const { blocks, inputs = {} } = readableWorkflow(request)
  return {
    workflow: name,
    apis: touchedApis(blocks).flatMap((api) => runFormApi(project, api, request.last)),
    inputs: Object.entries(inputs).map(([input, declaration]) => runFormInput(input, declaration, masker)),
  }
}

function readableWorkflow({ project, workflow: name, masker }: RunFormRequest): Workflow {
  const file = project.workflows.get(name)
  if (file?.workflow !== undefined) return file.workflow
  const problem = file?.problems.find(({ severity }) => severity === "error")
  const message = problem?.message ?? "the workflow cannot be read"
  throw new CallsheetError(problem?.code ?? "workflow-unknown", masker?.text(message) ?? message)
}

/** Nothing where the project has no such API. `last` are environments of the last run, by API. */
export function runFormApi(
  project: Project,
  api: string,
  last: Readonly<Record<string, string>>,
): readonly RunFormApi[] {
  const files = project.apis.get(api)?.environments
  if (files === undefined) return []
  const environments = environmentViews(files)
  const names = environments.map(({ name }) => name)
  const before = Object.hasOwn(last, api) ? last[api] : undefined
  const chosen = names.find((name) => name === before) ?? (names.length === 1 ? names[0] : undefined)
  return [{ api, environments, ...(chosen === undefined ? {} : { chosen }) }]
}

function runFormInput(
  name: string,
  { type, required, default: value, description }: InputDeclaration,
  masker: Masker | undefined,
): RunFormInput {
  return {
    name,
    type,
    required: required === true && value === undefined,
    ...(value === undefined ? {} : { default: masker?.value(value) ?? value }),
    ...(description === undefined ? {} : { description: masker?.text(description) ?? description }),
  }
}
