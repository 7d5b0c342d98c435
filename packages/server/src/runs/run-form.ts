// The choices for running a workflow or a suite: an environment for each API, and values of inputs.

import {
  CallsheetError,
  INBOX,
  ownOf,
  setOwn,
  touchedApis,
  type InputDeclaration,
  type Project,
  type Workflow,
} from "@callsheet/format"
import { entriesIn, namesIn, suiteIn, type SuiteEntry } from "@callsheet/language"
import { hasSnapshots, type ReadRequest } from "@callsheet/project"
import {
  suiteOf,
  type EnvironmentPresets,
  type RunForm,
  type RunFormApi,
  type RunFormInput,
} from "../calls/index.ts"
import { readPart } from "../project/read-parts.ts"
import { environmentViews } from "../project/project-view.ts"
import type { Masker } from "../secrets/secrets-masker.ts"
import { messages } from "../messages.ts"

interface RunFormRequest {
  readonly project: Project
  /** The workflow's name, or that of a suite, as a run names it. */
  readonly workflow: string
  /** Returns the environment that any run last used for an API. */
  readonly lastOf: (api: string) => string | undefined
  readonly masker: Masker
}

export function runForm(request: RunFormRequest): RunForm {
  const { project, workflow: name, masker } = request
  const suite = suiteOf(name)
  const { apis, inputs } = suite === undefined ? choicesOfWorkflow(request) : choicesOfSuite(project, suite)
  return {
    workflow: name,
    apis: apis.flatMap((api) => runFormApi(project, api, request.lastOf)),
    inputs: inputs.map(([input, declaration]) => runFormInput(input, declaration, masker)),
    hasSnapshots: hasSnapshots(project.root) || undefined,
    hasInbox: project.apis.get(INBOX)?.environments.service === INBOX || undefined,
  }
}

/** Reads what a run needs: a workflow, or the workflows of a suite. */
export function readSubject(
  root: string,
  subject: string,
  { named = [], documents }: Pick<ReadRequest, "named" | "documents">,
): Project {
  const suite = suiteOf(subject)
  const { workflows, apis } =
    suite === undefined
      ? { workflows: [subject], apis: [] }
      : namesIn(suiteIn(readPart(root, { workflows: [], apis: [] }), suite).suite)
  return readPart(root, {
    workflows,
    apis: "touched",
    named: [...named, ...apis],
    ...(documents && { documents }),
  })
}

interface Choices {
  readonly apis: readonly string[]
  readonly inputs: readonly (readonly [name: string, declaration: InputDeclaration])[]
}

function choicesOfWorkflow(request: RunFormRequest): Choices {
  const { blocks, inputs = {} } = readableWorkflow(request)
  return { apis: touchedApis(blocks), inputs: Object.entries(inputs) }
}

/** Returns what `callsheet.json` leaves open: APIs of entries without an environment, and inputs of main entries. */
function choicesOfSuite(project: Project, name: string): Choices {
  const { suite } = suiteIn(project, name)
  const workflowOf = ({ workflow }: SuiteEntry) => project.workflows.get(workflow)?.workflow
  const apis = [...entriesIn(suite)].flatMap((entry) =>
    touchedApis(workflowOf(entry)?.blocks ?? []).filter(
      (api) => !Object.hasOwn(entry.env, api) && !entry.mocks.some((mock) => mock.api === api),
    ),
  )
  const inputs = new Map<string, InputDeclaration>()
  for (const entry of suite.main) {
    for (const [input, declaration] of Object.entries(workflowOf(entry)?.inputs ?? {})) {
      if (Object.hasOwn(entry.inputs, input)) continue
      // A row may have the value.
      const isRequired = declaration.required === true && entry.data === undefined
      const known = inputs.get(input)
      inputs.set(input, { ...declaration, ...known, required: isRequired || known?.required === true })
    }
  }
  return { apis: [...new Set(apis)], inputs: [...inputs] }
}

function readableWorkflow({ project, workflow: name, masker }: RunFormRequest): Workflow {
  const file = project.workflows.get(name)
  if (file?.workflow !== undefined) return file.workflow
  const problem = file?.problems.find(({ severity }) => severity === "error")
  const { code, message } = problem ?? messages["workflow-unknown"].unreadable()
  throw new CallsheetError({ code, message: masker.text(message) })
}

/** Returns the choices for an API, if it exists. Never preselects production. */
export function runFormApi(
  project: Project,
  api: string,
  lastOf: RunFormRequest["lastOf"],
): readonly RunFormApi[] {
  const files = project.apis.get(api)?.environments
  // A run starts the servers of services, whatever their environments.
  if (files === undefined || files.service !== undefined) return []
  const environments = environmentViews(files)
  const { env = {} } = project.settingsFile?.settings?.defaults ?? {}
  const usual = ownOf(env, api) ?? lastOf(api)
  const chosen =
    environments.find(({ name }) => name === usual) ??
    (environments.length === 1 ? environments[0] : undefined)
  return [{ api, environments, chosen: chosen?.level === "production" ? undefined : chosen?.name }]
}

/** Returns the preselected environment of each API of the project. */
export function environmentPresets(project: Project, lastOf: RunFormRequest["lastOf"]): EnvironmentPresets {
  const environments: Record<string, string> = {}
  for (const name of project.apis.keys())
    for (const { api, chosen } of runFormApi(project, name, lastOf))
      if (chosen !== undefined) setOwn(environments, api, chosen)
  return { environments }
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
