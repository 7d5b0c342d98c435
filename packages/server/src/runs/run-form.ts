// The choices for running a workflow or a suite: an environment for each API, and values of inputs.

import {
  CallsheetError,
  ownOf,
  touchedApis,
  type InputDeclaration,
  type Project,
  type Workflow,
} from "@callsheet/format"
import { entriesIn, namesIn, suiteIn, type SuiteEntry } from "@callsheet/language"
import type { ReadRequest } from "@callsheet/project"
import { suiteOf, type RunForm, type RunFormApi, type RunFormInput } from "../calls/index.ts"
import { readPart } from "../project/read-parts.ts"
import { environmentViews } from "../project/project-view.ts"
import type { Masker } from "../secrets/secrets-masker.ts"
import { messages } from "../messages.ts"

interface RunFormRequest {
  readonly project: Project
  /** The workflow's name, or that of a suite, as a run names it. */
  readonly workflow: string
  readonly last: Readonly<Record<string, string>>
  /** Returns the environment that any run last used for an API. Used if the workflow's last run didn't use the API. */
  readonly lastOf: (api: string) => string | undefined
  readonly masker: Masker
}

export function runForm(request: RunFormRequest): RunForm {
  const { project, workflow: name, masker } = request
  const suite = suiteOf(name)
  const { apis, inputs } = suite === undefined ? choicesOfWorkflow(request) : choicesOfSuite(project, suite)
  const { env = {} } = project.settingsFile?.settings?.defaults ?? {}
  return {
    workflow: name,
    apis: apis.flatMap((api) =>
      runFormApi(project, api, {
        last: ownOf(request.last, api),
        lastElsewhere: ownOf(env, api) ?? request.lastOf(api),
      }),
    ),
    inputs: inputs.map(([input, declaration]) => runFormInput(input, declaration, masker)),
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
    touchedApis(workflowOf(entry)?.blocks ?? []).filter((api) => !Object.hasOwn(entry.env, api)),
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
