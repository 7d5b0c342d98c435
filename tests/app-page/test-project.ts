// A project in memory behind the real server, so that a test controls the data of the page.

import { fileURLToPath } from "node:url"
import { readAssets, startApp, type AppEvent, type Handlers, type RunningApp } from "@callsheet/server"
import { CallsheetError, type Problem } from "@callsheet/format"
import {
  callNames,
  type CallName,
  type EnvironmentsView,
  type FileName,
  type FileText,
  type OperationDetail,
  type OperationView,
  type ProjectView,
} from "@callsheet/server/calls"
import { environmentsView } from "./environments-view.ts"

export const pageFolder = fileURLToPath(new URL("../../packages/cli/dist/page", import.meta.url))

export interface ProjectContent {
  readonly project: Omit<ProjectView, "revision">
  readonly problems: readonly Problem[]
  readonly operations: Readonly<Record<string, readonly OperationView[]>>
  readonly runs?: Partial<RunHandlers>
  /** All other calls are rejected unless listed. */
  readonly calls?: Partial<Handlers>
}

type RunHandlers = Pick<Handlers, Extract<keyof Handlers, `runs.${string}`>>

export interface TestProject {
  readonly app: RunningApp
  readonly change: (content: Partial<ProjectContent>) => void
  readonly tell: (event: AppEvent) => void
}

/** Read and compressed once for all servers of a worker. */
let assets: ReturnType<typeof readAssets> | undefined

/** The caller closes its `app`. `port` is for a server that is restarted. */
export async function serveProject(first: ProjectContent, port = 0): Promise<TestProject> {
  let content = first
  let revision = 1
  const listeners = new Set<(event: AppEvent) => void>()
  const runs = (): RunHandlers => ({ ...noRuns(content), ...content.runs })
  const app = await startApp({
    assets: (assets ??= readAssets(pageFolder)),
    root: "/nowhere",
    port,
    handlers: {
      ...otherCalls(() => content),
      "project.read": async () => ({ ...content.project, revision }),
      "problems.read": async () => ({ revision, problems: content.problems }),
      "project.changes": async () => ({ files: [] }),
      "operations.list": async ({ api }) => ({
        version: "3.1",
        title: `${api}, as its document calls it`,
        operations: content.operations[api] ?? [],
        problems: [],
      }),
      "environments.read": (input) =>
        content.calls?.["environments.read"]?.(input) ?? someEnvironments(content, input.api),
      "operations.read": (input) =>
        content.calls?.["operations.read"]?.(input) ?? someOperation(input.operation),
      "requests.prepare": async ({ api }) => ({
        api,
        environments: content.project.apis.find(({ name }) => name === api)?.environments ?? [],
      }),
      "files.read": (input) => content.calls?.["files.read"]?.(input) ?? someFile(content, input.file),
      "files.check": (input) => content.calls?.["files.check"]?.(input) ?? Promise.resolve({ problems: [] }),
      "files.list": (input) =>
        content.calls?.["files.list"]?.(input) ?? Promise.resolve({ scripts: [], isReadOnly: false }),
      "drafts.list": (input) => content.calls?.["drafts.list"]?.(input) ?? Promise.resolve({ drafts: [] }),
      "runs.prepare": (input) => runs()["runs.prepare"](input),
      "runs.start": (input) => runs()["runs.start"](input),
      "runs.stop": (input) => runs()["runs.stop"](input),
      "runs.read": (input) => runs()["runs.read"](input),
      "runs.compare": (input) => runs()["runs.compare"](input),
      "runs.list": (input) => runs()["runs.list"](input),
      "runs.presets": (input) => runs()["runs.presets"](input),
      "runs.latest": (input) => runs()["runs.latest"](input),
    },
    events: {
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  })
  const tell = (event: AppEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const change = (next: Partial<ProjectContent>): void => {
    content = { ...content, ...next }
    revision++
    tell({ type: "project.changed", revision })
  }
  return { app, change, tell }
}

async function someEnvironments({ project }: ProjectContent, api: string): Promise<EnvironmentsView> {
  return environmentsView(api, project.apis.find(({ name }) => name === api)?.environments ?? [])
}

const someOperation = async (name: string): Promise<OperationDetail> => ({
  name,
  method: "GET",
  path: "/status",
  resources: [],
  parameters: [],
  responses: [],
  security: [],
})

/** A saved request, a workflow with as many blocks as the project says, or one that does not parse. */
async function someFile({ project }: ProjectContent, file: FileName): Promise<FileText> {
  if (file.kind === "request") {
    const text = JSON.stringify({ version: 1, method: "GET", path: "/status" }, null, 2)
    return { path: `apis/${file.api}/requests/${file.resource}/${file.request}.json`, text, etag: "1" }
  }
  const workflow = file.kind === "workflow" ? file.workflow : undefined
  const found = project.workflows.find(({ name }) => name === workflow)
  if (workflow === undefined || found === undefined)
    throw new CallsheetError({ code: "file-missing", message: "it is not there" })
  const blocks = Array.from({ length: found.blocks ?? 0 }, (_, index) => ({
    id: `block-${index}`,
    type: "group",
    blocks: [],
  }))
  const text = JSON.stringify({ version: 1, blocks }, null, 2)
  return {
    path: `apis/workflow/${workflow}.json`,
    text: found.blocks === undefined ? text.slice(0, 20) : text,
    etag: "1",
  }
}

/** Every call by its name, so that a new one needs no entry here. */
function otherCalls(content: () => ProjectContent): Handlers {
  const answer = (name: CallName) => async (input: never) => {
    const handle: ((input: never) => Promise<unknown>) | undefined = content().calls?.[name]
    if (handle === undefined) {
      const message = `the test has no answer to ${name}`
      throw new CallsheetError({ code: "usage", message })
    }
    return handle(input)
  }
  return Object.fromEntries(callNames.map((name) => [name, answer(name)])) as unknown as Handlers
}

/** Workflows that can run in the environments of their APIs, and never ran. */
function noRuns({ project }: ProjectContent): RunHandlers {
  const refuse = async (): Promise<never> => {
    throw new CallsheetError({ code: "run-unknown", message: "this run does not exist" })
  }
  return {
    "runs.prepare": async ({ workflow }) => {
      const touched = project.workflows.find(({ name }) => name === workflow)?.apis ?? []
      const apis = touched.map((api) => ({
        api,
        environments: project.apis.find(({ name }) => name === api)?.environments ?? [],
      }))
      return { workflow, apis, inputs: [] }
    },
    "runs.start": refuse,
    "runs.rename": refuse,
    "runs.stop": refuse,
    "runs.login": refuse,
    "runs.cancelLogin": refuse,
    "runs.read": refuse,
    "runs.compare": refuse,
    "runs.presets": async () => ({ environments: {} }),
    "runs.list": async () => ({ runs: [] }),
    "runs.latest": async () => ({ runs: [], going: [] }),
  }
}

/** A small project with one of everything, and two problems. */
export const smallProject: ProjectContent = {
  project: {
    name: "webshop",
    apis: [
      {
        name: "shop",
        document: { file: "apis/shop/openapi.json" },
        environments: [
          { name: "base", level: "local" },
          { name: "local", level: "local", extends: "base" },
          { name: "production", level: "production", extends: "base" },
          { name: "staging", level: "staging", extends: "base" },
        ],
        requests: [
          {
            resource: "orders",
            name: "gift",
            description: "An order that is a present.",
            target: "createOrder",
          },
        ],
      },
      { name: "mail", environments: [], requests: [] },
    ],
    workflows: [
      { name: "checkout", apis: ["shop"], blocks: 12 },
      { name: "smoke", apis: ["shop", "mail"], blocks: 3 },
      { name: "broken", apis: [] },
    ],
  },
  problems: [
    {
      code: "json-syntax",
      severity: "error",
      message: "a comma is missing",
      file: "apis/workflow/broken.json",
      line: 4,
      column: 7,
      hint: 'put one after the value of "id"',
    },
    {
      code: "field-unknown",
      severity: "warning",
      message: 'unknown field "extend"',
      file: "apis/shop/environments/staging.json",
      line: 2,
      column: 3,
      hint: 'did you mean "extends"?',
    },
  ],
  operations: {
    shop: [
      {
        name: "listOrders",
        method: "GET",
        path: "/orders",
        resources: ["orders"],
        summary: "All orders, the newest first",
      },
      {
        name: "createOrder",
        method: "POST",
        path: "/orders",
        resources: ["orders"],
        summary: "Place an order",
      },
      { name: "getOrder", method: "GET", path: "/orders/{orderId}", resources: ["orders"] },
      {
        name: "cancelOrder",
        method: "DELETE",
        path: "/orders/{orderId}",
        resources: ["orders"],
        deprecated: true,
      },
      {
        name: "setStock",
        method: "PUT",
        path: "/books/{isbn}/stock",
        resources: ["books"],
        summary: "Say what is on the shelf",
      },
      { name: "patchBook", method: "PATCH", path: "/books/{isbn}", resources: ["books"] },
    ],
  },
}

export const emptyContent: ProjectContent = {
  project: { name: "empty", apis: [], workflows: [] },
  problems: [],
  operations: {},
}
