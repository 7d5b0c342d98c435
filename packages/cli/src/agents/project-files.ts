// The tools `list_project`, `read_file` and `validate`.

import { CallsheetError, hideUrlCredentials, parseJson, resolveEnvironment, shapes } from "@callsheet/format"
import { maskJsonText, placeOf, type FileName } from "@callsheet/server"
import { messages } from "../messages.ts"
import { problemFields, problemsView } from "./problem-view.ts"
import { defineTool } from "./tool.ts"
import { requireFile, type Workbench } from "./workbench.ts"

const { any, array, boolean, enumOf, object, optional, required, string } = shapes

const texts = array(() => string())
const path = required(string(), "A path from the project's root: apis/workflow/checkout.json.")
const readOnly = { readOnlyHint: true, openWorldHint: false }

const environmentView = object({
  name: required(string(), "The name."),
  level: required(enumOf("production", "staging", "local"), "Tools refuse runs against production."),
  file: required(string(), "The value file, for read_file."),
})

const apiView = object({
  name: required(string(), "The value of request.api."),
  document: optional(string(), "The OpenAPI document. Use find_operations to read it."),
  environments: required(
    array(() => environmentView),
    "Choose one for a run.",
  ),
  requests: required(texts, "The files of saved requests."),
})

const workflowView = object({
  name: required(string(), "The name, for run."),
  file: required(string(), "The file, for read_file."),
  apis: required(texts, "The APIs that it sends requests to."),
  scripts: required(texts, "Its script files."),
})

export const listProject = ({ handlers, overview }: Workbench) =>
  defineTool({
    name: "list_project",
    title: "List the project",
    description: "List the APIs, environments, saved requests, workflows, scripts and suites of the project.",
    annotations: readOnly,
    input: object({}),
    output: object({
      apis: required(
        array(() => apiView),
        "The APIs.",
      ),
      workflows: required(
        array(() => workflowView),
        "The workflows.",
      ),
      suites: required(texts, "The suites of callsheet.json."),
    }),
    run: async () => {
      const { apis, workflows, suites = [] } = await handlers["project.read"]({})
      const { project } = await overview()
      const fileOf = (name: FileName): string => placeOf(name).file
      return {
        apis: apis.map(({ name: api, document, environments, requests }) => ({
          name: api,
          document: document?.file,
          environments: environments.map(({ name, level }) => ({
            name,
            level,
            file: fileOf({ kind: "environment", api, environment: name }),
          })),
          requests: requests.map(({ resource, name }) =>
            fileOf({ kind: "request", api, resource, request: name }),
          ),
        })),
        workflows: workflows.map(({ name, apis: used }) => ({
          name,
          file: fileOf({ kind: "workflow", workflow: name }),
          apis: used,
          scripts: (project.scriptNames.get(name) ?? []).map((script) =>
            fileOf({ kind: "script", workflow: name, script }),
          ),
        })),
        suites,
      }
    },
  })

const variableView = object({
  name: required(string(), "The name."),
  value: optional(any, "The value, or *** for a secret. Absent if it has none."),
  secret: required(boolean, "True if the value is never shown."),
  from: required(string(), "Where the value comes from: values, secrets, default or none."),
})

export const readFile = (workbench: Workbench) =>
  defineTool({
    name: "read_file",
    title: "Read a file",
    description:
      "Read a workflow, script, saved request, environment or callsheet.json. Secrets are shown as ***. Secrets files can't be read.",
    annotations: readOnly,
    input: object({ path }),
    output: object({
      path,
      text: required(string(), "The text, with secrets as ***."),
      variables: optional(
        array(() => variableView),
        "The resolved variables of an environment.",
      ),
    }),
    run: async ({ path: asked }) => {
      const file = requireFile(asked)
      const { text } = await workbench.handlers["files.read"]({ file })
      const masker = await workbench.masker()
      const isJson = asked.endsWith(".json") && parseJson(text).ok
      return {
        path: asked,
        text: isJson ? maskJsonText(text, masker) : masker.text(text),
        variables: file.kind === "environment" ? await variablesOf(workbench, file) : undefined,
      }
    },
  })

async function variablesOf(
  { overview }: Workbench,
  { api, environment: name }: Extract<FileName, { readonly kind: "environment" }>,
) {
  const files = (await overview()).project.apis.get(api)?.environments
  if (files?.environments.has(name) !== true) return []
  const { environment } = resolveEnvironment({ files, name })
  return [...environment.variables.values()].map(({ name: variable, value, declaration, from }) => {
    const secret = declaration.secret === true
    const shown = typeof value === "string" ? hideUrlCredentials(value) : value
    return { name: variable, value: value === undefined || !secret ? shown : "***", secret, from }
  })
}

export const validate = ({ handlers }: Workbench) =>
  defineTool({
    name: "validate",
    title: "Validate files",
    description:
      "Check the whole project, one file, or the text of a file before you propose it. Sends no requests and runs no scripts.",
    annotations: readOnly,
    input: object({
      path: optional(string(), "Check only this file."),
      text: optional(string(), "Check the file as if it had this text."),
    }),
    output: object(problemFields),
    run: async ({ path: asked, text }) => {
      if (asked === undefined && text !== undefined) throw new CallsheetError(messages.usage.toolText())
      if (asked === undefined) return problemsView((await handlers["problems.read"]({})).problems)
      const file = requireFile(asked)
      const given = text ?? (await handlers["files.read"]({ file })).text
      return problemsView((await handlers["files.check"]({ file, text: given })).problems)
    },
  })
