// Sends a URL or a curl command as if it were saved: as a saved request of an API that exists only in memory.

import {
  CallsheetError,
  checkEnvironmentFiles,
  checkSavedRequest,
  knownSecrets,
  type Api,
  type EnvironmentFiles,
  type PlannedFile,
  type ProcessEnvironment,
  type Project,
} from "@callsheet/format"
import { findEnvironments, textOfPlanned } from "@callsheet/project"
import type { RunOrder, Tried, TryOrder } from "../calls/index.ts"
import { CallRefused } from "../handlers.ts"
import type { PreviewImport } from "../imports/preview-in-thread.ts"

/** The API of the request. Only its run knows it. */
const API = "unsaved"

interface TryContext {
  readonly root: string
  readonly processEnvironment: ProcessEnvironment
  readonly previewImport: PreviewImport
}

interface TriedRequest extends Pick<Tried, "losses"> {
  readonly order: RunOrder
  readonly project: Project
}

/** Reads the text like an import. Throws 422 if it isn't one request. */
export async function tryRequest(
  order: TryOrder,
  { root, processEnvironment, previewImport }: TryContext,
): Promise<TriedRequest> {
  const { files, view } = await previewImport({
    root,
    input: { sources: [{ name: "pasted text", text: order.text }], api: API, saved: {} },
    processEnvironment: {},
    isApart: true,
  }).catch(refuse)
  const { request } = view
  const secrets = findEnvironments(root).flatMap((own) =>
    knownSecrets(own, processEnvironment).map(({ value }) => value),
  )
  if (request === undefined) throw new Error("a saved request was planned without its name")
  const { resource, name, environment } = request
  const workflow = `${API}/${resource}/${name}`
  const block = { id: "request", type: "request", request: { api: API, resource, instance: name } } as const
  const file = { version: 1, blocks: [block] } as const
  return {
    order: { ...order, workflow, environments: { [API]: environment }, inputs: {} },
    losses: view.losses,
    project: {
      root,
      apiNames: [API],
      apis: new Map([[API, apiOf(`${resource}/${name}`, files, secrets)]]),
      workflowNames: [workflow],
      workflows: new Map([
        [
          workflow,
          { file: workflow, text: JSON.stringify(file), name: workflow, workflow: file, problems: [] },
        ],
      ]),
      scriptNames: new Map(),
      problems: [],
    },
  }
}

function apiOf(key: string, files: readonly PlannedFile[], secrets: readonly string[]): Api {
  const texts = files.map((planned) => ({ file: planned.file, text: textOfPlanned(planned) }))
  const environments = checkEnvironmentFiles({
    api: API,
    files: texts.filter(({ file }) => file.includes("/environments/")),
  })
  const saved = texts.find(({ file }) => file.endsWith(`/requests/${key}.json`))
  if (saved === undefined) throw new Error("a saved request was planned without its file")
  const [resource = "", request = ""] = key.split("/")
  const instance = { ...saved, resource, name: request, ...checkSavedRequest(saved) }
  return {
    name: API,
    environments: withSecrets(environments, secrets),
    instances: new Map([[key, instance]]),
    problems: [],
  }
}

/** Declares the secrets of the project, so that the run masks them in the response. */
function withSecrets(files: EnvironmentFiles, secrets: readonly string[]): EnvironmentFiles {
  const named = secrets.map((value, at) => [`secret_of_project_${at}`, value] as const)
  const variables = new Map(files.variables)
  for (const [name] of named) variables.set(name, { type: "string", required: false, secret: true })
  return {
    ...files,
    variables,
    environments: new Map(
      [...files.environments].map(([name, environment]) => [
        name,
        {
          ...environment,
          secretsFile: environment.secretsFile ?? {
            file: `apis/${API}/environments/${name}.secrets.env`,
            text: "",
          },
          secrets: new Map([...environment.secrets, ...named]),
        },
      ]),
    ),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof CallsheetError)) throw error
  const { code, message, hint } = error
  throw new CallRefused(422, { code, message, hint })
}
