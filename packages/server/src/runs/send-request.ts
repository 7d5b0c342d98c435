// Sends a saved request. The engine runs it as a workflow in memory with a single block.

import {
  CallsheetError,
  checkBaseline,
  checkSavedRequest,
  shapes,
  type Api,
  type BaselineFile,
  type InstanceFile,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { RunOrder, SendOrder } from "../calls/index.ts"
import { text } from "../calls/names.ts"
import { readOneApi } from "../project/read-parts.ts"
import { PrivateFolder, projectKey, type ProjectState } from "@callsheet/engine"

export const orderToSend = ({ api, resource, request, environment, confirmation }: SendOrder): RunOrder => ({
  workflow: `${api}/${resource}/${request}`,
  environments: { [api]: environment },
  inputs: {},
  confirmation,
})

export const choicesToSend = (order: SendOrder): readonly unknown[] => {
  const { api, resource, request, environment, text } = order
  return ["send", api, resource, request, environment, text ?? null]
}

export function projectToSend(root: string, order: SendOrder): Project {
  const project = readOneApi(root, order.api)
  const api = project.apis.get(order.api)
  if (api === undefined) return project
  const { workflow: name } = orderToSend(order)
  return {
    ...project,
    // Leave out `callsheet.json` and a broken baseline, so that their errors can't prevent the request.
    settingsFile: undefined,
    baselineFile: isSoundBaseline(project.baselineFile) ? project.baselineFile : undefined,
    apis: new Map(project.apis).set(api.name, withRequest(api, order)),
    workflows: new Map([[name, workflowOf(name, order)]]),
    workflowNames: [...project.workflowNames, name],
  }
}

const isSoundBaseline = (file: BaselineFile | undefined): boolean =>
  file !== undefined && file.problem === undefined && checkBaseline(file).entries !== undefined

function withRequest(api: Api, { resource, request: name, text }: SendOrder): Api {
  const key = `${resource}/${name}`
  if (text === undefined) {
    if (!api.instances.has(key)) throw new CallsheetError(messages["file-missing"].request())
    return api
  }
  const file = `apis/${api.name}/requests/${key}.json`
  const instance: InstanceFile = { file, text, resource, name, ...checkSavedRequest({ file, text }) }
  return { ...api, instances: new Map(api.instances).set(key, instance) }
}

function workflowOf(name: string, { api, resource, request }: SendOrder): WorkflowFile {
  const block = { id: "request", type: "request", request: { api, resource, instance: request } } as const
  const workflow = { version: 1, validateContracts: true, blocks: [block] } as const
  return { file: name, text: JSON.stringify(workflow), name, workflow, problems: [] }
}

const { map, object, optional, required, version } = shapes

const sent = object({
  version: optional(version, "The version of the format."),
  environments: required(map(text), "The environment's name by API."),
})

/** Stores the last environment of each API. If the disk fails, keeps it until the app stops. */
export function createSentEnvironments({ state, root }: ProjectState) {
  const folder = new PrivateFolder(state, "sends")
  const name = `${projectKey(root)}.json`
  let known: ReadonlyMap<string, string> | undefined
  const all = () => (known ??= new Map(Object.entries(folder.readJson(name, sent)?.environments ?? {})))
  return {
    of: (api: string): string | undefined => all().get(api),
    remember: (api: string, environment: string): void => {
      if (all().get(api) === environment) return
      known = new Map(all()).set(api, environment)
      folder.write(name, `${JSON.stringify({ version: 1, environments: Object.fromEntries(known) })}\n`)
    },
  }
}
