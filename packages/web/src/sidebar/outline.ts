// The outline of a project as rows, from top to bottom. Pure.

import { PROJECT_FILE, type Level } from "@callsheet/format"
import {
  suiteSubject,
  type ApiView,
  type FileChange,
  type OperationView,
  type ProjectView,
} from "@callsheet/server/calls"
import type { ApiOperations } from "../data/use-operations.ts"
import { importKinds, importTitles, type ImportKind } from "../imports/import-state.ts"
import { hashOf, type Route } from "../routes/route.ts"
import type { Outcome } from "../run/use-outcomes.ts"

export interface OutlineRow {
  readonly id: string
  readonly kind: "section" | "api" | "group" | "leaf" | "note"
  /** The outermost level is 1. */
  readonly depth: number
  readonly label: string
  readonly route?: Route
  /** The action of a row without a route. */
  readonly does?: "new-workflow" | ImportKind
  readonly isOpen?: boolean
  readonly count?: number
  readonly method?: string
  readonly level?: Level
  readonly outcome?: Outcome
  readonly isDeprecated?: boolean
  readonly isUnsaved?: boolean
  readonly change?: FileChange["change"]
  /** True if the file is gone and only unsaved changes exist. */
  readonly isGone?: boolean
  /** The zero-based position among its siblings. */
  readonly position: number
  readonly siblings: number
}

export interface OutlineSource {
  readonly project: ProjectView
  readonly operations: ReadonlyMap<string, ApiOperations>
  readonly chosen: ReadonlyMap<string, boolean>
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Routes with unsaved changes, by `hashOf`. */
  readonly unsaved: ReadonlyMap<string, Route>
  /** Changes since the last commit, by `hashOf`. */
  readonly changes: ReadonlyMap<string, FileChange["change"]>
}

type Draft = Omit<OutlineRow, "depth" | "position" | "siblings"> & {
  readonly children?: () => readonly Draft[]
  /** True if the row is expanded unless the user has chosen otherwise. */
  readonly opensItself?: boolean
}

/** With more APIs, all APIs are collapsed at first. */
const fewApis = 6
/** A group with more entries is collapsed at first. */
const fewEntries = 40

export const operationsRowId = (api: string): string => `${api}/operations`
export const resourceRowId = (api: string, resource: string): string => `${api}/operations/${resource}`
export const apiRowId = (api: string): string => hashOf({ kind: "api", api })
export const environmentsRowId = (api: string): string => hashOf({ kind: "environments", api })

/** Returns whether the operations of an API are visible, so that they must be loaded. */
export function showsOperations(
  { project, chosen }: Pick<OutlineSource, "project" | "chosen">,
  api: string,
): boolean {
  const isApiOpen = chosen.get(apiRowId(api)) ?? project.apis.length <= fewApis
  return isApiOpen && (chosen.get(operationsRowId(api)) ?? true)
}

export function outlineRows(source: OutlineSource): readonly OutlineRow[] {
  const { apis, workflows } = source.project
  const sections: readonly Draft[] = [
    {
      ...section("workflows", "Workflows", []),
      count: workflows.length,
      children: () => [
        ...workflowRows(source),
        ...goneWorkflows(source),
        { ...note("workflows", "New workflow…"), does: "new-workflow" },
      ],
    },
    { ...section("suites", "Suites", suiteRows(source)), count: source.project.suites?.length ?? 0 },
    {
      ...section("apis", "APIs", []),
      count: apis.length,
      children: () => [
        ...untilRead(source).map((api) => apiDraft(source, api)),
        ...(apis.some((api) => isReading(source, api)) ? [] : importRows),
      ],
    },
  ]
  return placed(sections, 1, source)
}

function placed(
  drafts: readonly Draft[],
  depth: number,
  source: Pick<OutlineSource, "chosen" | "unsaved" | "changes">,
): readonly OutlineRow[] {
  return drafts.flatMap(({ children, opensItself, ...draft }, position) => {
    const change = source.changes.get(draft.id)
    const row = {
      ...draft,
      ...(source.unsaved.has(draft.id) ? { isUnsaved: true } : {}),
      ...(change === undefined ? {} : { change }),
      depth,
      position,
      siblings: drafts.length,
    }
    if (children === undefined) return [row]
    const isOpen = source.chosen.get(draft.id) ?? opensItself ?? false
    return [{ ...row, isOpen }, ...(isOpen ? placed(children(), depth + 1, source) : [])]
  })
}

const section = (id: string, label: string, children: readonly Draft[]): Draft => ({
  id,
  kind: "section",
  label,
  count: children.length,
  children: () => (children.length === 0 ? [note(id, "None yet")] : children),
  opensItself: true,
})

const note = (parent: string, label: string): Draft => ({ id: `${parent}/note`, kind: "note", label })

const leaf = (route: Route, label: string): Draft => ({ id: hashOf(route), kind: "leaf", label, route })

/** The minimum number of workflows with the same prefix that make a group. */
const MIN_GROUP = 3

/** Returns what is before the first `-`, with the hyphen. Empty if there is no hyphen. */
const prefixOf = (workflow: string): string => /^[^-]+-(?=.)/.exec(workflow)?.[0] ?? ""

export const workflowGroupId = (workflow: string): string => `workflows/${prefixOf(workflow)}`

/** Groups workflows by prefix, unless all of them have the same one. */
function workflowRows({ project: { workflows }, outcomes }: OutlineSource): readonly Draft[] {
  const groups = new Map<string, Draft[]>()
  for (const { name } of workflows) {
    const leaves = groups.get(prefixOf(name)) ?? []
    groups.set(prefixOf(name), leaves)
    leaves.push(workflowLeaf(name, outcomes.get(name)))
  }
  const shown = new Set<string>()
  return workflows.flatMap(({ name }): readonly Draft[] => {
    const prefix = prefixOf(name)
    const leaves = groups.get(prefix) ?? []
    if (prefix === "" || leaves.length < MIN_GROUP || leaves.length === workflows.length)
      return [workflowLeaf(name, outcomes.get(name))]
    if (shown.has(prefix)) return []
    shown.add(prefix)
    return [{ ...group(workflowGroupId(name), `${prefix}…`, leaves), opensItself: true }]
  })
}

const workflowLeaf = (workflow: string, outcome: Outcome | undefined): Draft =>
  withOutcome(leaf({ kind: "workflow", workflow }, workflow), outcome)

const withOutcome = (row: Draft, outcome: Outcome | undefined): Draft =>
  outcome === undefined ? row : { ...row, outcome }

/**
 * Returns deleted workflows with unsaved changes, so that the user can still reach these changes. For example, another
 * branch may lack the file.
 */
function goneWorkflows({ project, unsaved }: OutlineSource): readonly Draft[] {
  const known = new Set(project.workflows.map(({ name }) => name))
  return [...unsaved.values()].flatMap((route) =>
    route.kind === "workflow" && !known.has(route.workflow) ? [goneLeaf(route, route.workflow)] : [],
  )
}

/** The file with the suites. If it doesn't exist, its page offers to create it. */
function suiteRows({ project, outcomes, unsaved }: OutlineSource): readonly Draft[] {
  const file = leaf({ kind: "settings" }, PROJECT_FILE)
  if (project.suites !== undefined) {
    const suites = project.suites.map((suite) =>
      withOutcome(leaf({ kind: "suite", suite }, suite), outcomes.get(suiteSubject(suite))),
    )
    return [...suites, file]
  }
  return [
    unsaved.has(file.id)
      ? { ...file, isGone: true }
      : { ...file, kind: "note", label: `New ${PROJECT_FILE}…` },
  ]
}

const goneLeaf = (route: Route, label: string): Draft => ({ ...leaf(route, label), isGone: true })

/** Returns whether operations are loading without an action of the user. Rows below them must not move then. */
function isReading({ project, chosen, operations }: OutlineSource, { name, document }: ApiView): boolean {
  const read = operations.get(name)
  const isAskedFor = chosen.has(apiRowId(name)) || chosen.has(operationsRowId(name))
  const isUnread = read?.view === undefined && read?.hasFailed !== true
  return document !== undefined && isUnread && !isAskedFor && showsOperations({ project, chosen }, name)
}

const importRows: readonly Draft[] = importKinds.map((kind) => ({
  ...note(`apis/${kind}`, `${importTitles[kind]}…`),
  does: kind,
}))

/** Returns the APIs up to the first one whose operations are loading. */
function untilRead(source: OutlineSource): readonly ApiView[] {
  const { apis } = source.project
  const first = apis.findIndex((api) => isReading(source, api))
  return first === -1 ? apis : apis.slice(0, first + 1)
}

function apiDraft(source: OutlineSource, api: ApiView): Draft {
  return {
    id: apiRowId(api.name),
    kind: "api",
    label: api.name,
    route: { kind: "api", api: api.name },
    children: () =>
      [
        environments(api),
        operations(source, api),
        isReading(source, api) ? undefined : requests(source, api),
      ].filter((group) => group !== undefined),
    opensItself: source.project.apis.length <= fewApis,
  }
}

function environments({ name: api, environments }: ApiView): Draft {
  const leaves = environments.map(({ name, level }) => ({
    ...leaf({ kind: "environment", api, environment: name }, name),
    level,
  }))
  return {
    ...group(environmentsRowId(api), "Environments", leaves),
    route: { kind: "environments", api },
  }
}

function requests({ unsaved }: OutlineSource, { name: api, requests }: ApiView): Draft | undefined {
  const leaves = requests.map(({ resource, name }) =>
    leaf({ kind: "request", api, resource, request: name }, `${resource}/${name}`),
  )
  const known = new Set(leaves.map(({ id }) => id))
  const gone = [...unsaved].flatMap(([id, route]) =>
    route.kind === "request" && route.api === api && !known.has(id)
      ? [goneLeaf(route, `${route.resource}/${route.request}`)]
      : [],
  )
  const all = [...leaves, ...gone]
  return all.length === 0 ? undefined : group(`${api}/requests`, "Saved requests", all)
}

const group = (id: string, label: string, children: readonly Draft[]): Draft => ({
  id,
  kind: "group",
  label,
  count: children.length,
  children: () => (children.length === 0 ? [note(id, "None yet")] : children),
  opensItself: children.length <= fewEntries,
})

function operations({ operations }: OutlineSource, { name: api, document }: ApiView): Draft | undefined {
  if (document === undefined) return undefined
  const id = operationsRowId(api)
  const read = operations.get(api)
  const row: Draft = { id, kind: "group", label: "Operations", opensItself: true }
  if (read?.view === undefined) {
    return { ...row, children: () => [note(id, read?.hasFailed === true ? "Could not be read" : "Loading…")] }
  }
  const list = read.view.operations
  return { ...row, count: list.length, children: () => byResource(api, list) }
}

function byResource(api: string, operations: readonly OperationView[]): readonly Draft[] {
  if (operations.length === 0) return [note(operationsRowId(api), "None in the document")]
  const resources = new Map<string, OperationView[]>()
  for (const operation of operations) {
    const [resource = ""] = operation.resources
    const list = resources.get(resource)
    if (list === undefined) resources.set(resource, [operation])
    else list.push(operation)
  }
  return [...resources].map(([resource, list]) => ({
    id: resourceRowId(api, resource),
    kind: "group",
    label: resource === "" ? "No resource" : resource,
    count: list.length,
    children: () => list.map((operation) => operationLeaf(api, operation)),
    opensItself: operations.length <= fewEntries,
  }))
}

function operationLeaf(api: string, { method, path, deprecated }: OperationView): Draft {
  const row = { ...leaf({ kind: "operation", api, method, path }, path), method }
  return deprecated === true ? { ...row, isDeprecated: true } : row
}
