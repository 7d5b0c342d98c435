// Everything that the search and the palette can find, as a flat list with the text to search.

import { BASELINE_FILE, PROJECT_FILE } from "@callsheet/format"
import {
  filePath,
  type ApiView,
  type EnvironmentView,
  type FoundLine,
  type OperationView,
  type ProjectView,
  type SavedRequestView,
  type WorkflowView,
} from "@callsheet/server/calls"
import { showProblem } from "../files/shown-problem.ts"
import { hashOf, routeOfFile, type Route } from "../routes/route.ts"
import { showPart } from "../routes/workflow-part.ts"
import type { ApiOperations } from "../connection/queries.ts"

export interface Entry {
  /** A unique id, made from the route. */
  readonly id: string
  readonly route: Route
  readonly kind:
    | "API"
    | "Operation"
    | "Environment"
    | "Saved request"
    | "Workflow"
    | "Suite"
    | "Page"
    | "Command"
    | "Text"
  readonly name: string
  /** Distinguishes entries with the same name. */
  readonly detail: string
  readonly method?: string
  readonly level?: EnvironmentView["level"]
  /** The text to search, in lowercase. Starts with the name. */
  readonly text: string
  /** What the entry is called besides its name, in lowercase. An exact match is as good as one of the name. */
  readonly otherNames?: readonly string[]
  /** Set for a command, which runs when its route is shown. */
  readonly action?: () => void
}

export function projectEntries({ apis, workflows, suites = [] }: ProjectView): readonly Entry[] {
  return [
    ...workflows.map(workflowEntry),
    ...suites.map((suite) =>
      entry({ route: { kind: "suite", suite }, kind: "Suite", name: suite, detail: "" }),
    ),
    ...apis.flatMap((api) => [
      apiEntry(api),
      ...api.environments.map((environment) => environmentEntry(api.name, environment)),
      ...(api.document === undefined ? [] : [impactEntry(api.name)]),
      ...api.requests.map((request) => requestEntry(api.name, request)),
    ]),
  ]
}

export const operationEntries = ({ api, view }: ApiOperations): readonly Entry[] =>
  (view?.operations ?? []).map((operation) => operationEntry(api, operation))

export const pageEntries: readonly Entry[] = [
  entry({ route: { kind: "overview" }, kind: "Page", name: "Overview", detail: "" }),
  entry({ route: { kind: "problems" }, kind: "Page", name: "Problems", detail: "" }),
  entry({
    route: { kind: "send" },
    kind: "Page",
    name: "Send a URL or a curl command…",
    detail: "or add an API from an address",
  }),
  entry({ route: { kind: "settings" }, kind: "Page", name: PROJECT_FILE, detail: "defaults and suites" }),
  entry({ route: { kind: "baseline" }, kind: "Page", name: BASELINE_FILE, detail: "known violations" }),
]

/** Creates an entry for a line of a file. Opens its block and field, or its position in the text. */
export function lineEntry({ file, line, column, text, block }: FoundLine): Entry {
  const route = routeOfFile(file)
  return {
    ...entry({
      route,
      kind: "Text",
      name: text,
      detail: [filePath(file), block].filter(Boolean).join(" · "),
    }),
    id: `${filePath(file)}:${line}`,
    action: () => {
      if (file.kind === "workflow") showPart(file.workflow, "editor")
      showProblem(file, { code: "field-value", severity: "warning", message: "", line, column })
    },
  }
}

/** Creates a command entry. `id` must be unique among commands. */
export function commandEntry(command: {
  readonly id: string
  readonly name: string
  readonly detail?: string
  readonly route: Route
  readonly action: () => void
}): Entry {
  const { id, name, detail = "", route, action } = command
  return { ...entry({ route, kind: "Command", name, detail }), id, action }
}

function operationEntry(api: string, operation: OperationView): Entry {
  const { name, method, path, resources, summary } = operation
  return {
    ...entry({
      route: { kind: "operation", api, method, path },
      kind: "Operation",
      name: path,
      detail: `${name} · ${api}`,
    }),
    method,
    otherNames: [name.toLowerCase()],
    text: `${method} ${path} ${name} ${summary ?? ""} ${resources.join(" ")} ${api}`.toLowerCase(),
  }
}

function apiEntry({ name, document }: ApiView): Entry {
  return entry({ route: { kind: "api", api: name }, kind: "API", name, detail: document?.file ?? "" })
}

const impactEntry = (api: string): Entry =>
  entry({ route: { kind: "impact", api }, kind: "Page", name: "Document changes", detail: `${api} · impact` })

function environmentEntry(api: string, { name, level }: EnvironmentView): Entry {
  const route: Route = { kind: "environment", api, environment: name }
  return { ...entry({ route, kind: "Environment", name, detail: api }), level }
}

function requestEntry(api: string, { resource, name, target }: SavedRequestView): Entry {
  const route: Route = { kind: "request", api, resource, request: name }
  const inFolder = `${resource}/${name}`
  const detail = [inFolder, target, api].filter((part) => part !== undefined).join(" · ")
  return {
    ...entry({ route, kind: "Saved request", name, detail }),
    otherNames: [inFolder.toLowerCase()],
  }
}

const workflowEntry = ({ name }: WorkflowView): Entry =>
  entry({ route: { kind: "workflow", workflow: name }, kind: "Workflow", name, detail: "" })

function entry({ route, kind, name, detail }: Pick<Entry, "route" | "kind" | "name" | "detail">): Entry {
  const text = `${name} ${detail.slice(0, 2000)} ${kind}`.toLowerCase()
  return { id: hashOf(route), route, kind, name, detail, text }
}
