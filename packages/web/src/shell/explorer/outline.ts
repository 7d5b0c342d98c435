// The outline of a project as rows, from top to bottom. Pure.

import { getOrCreate, BASELINE_FILE, PROJECT_FILE, type Level } from "@callsheet/format"
import {
  suiteSubject,
  type ApiView,
  type FileChange,
  type OperationView,
  type ProjectView,
} from "@callsheet/server/calls"
import { importKinds, importTitles, type ImportKind } from "../imports/import-state.ts"
import { hashOf, type Route } from "../../routes/route.ts"
import type { ApiOperations } from "../../connection/queries.ts"
import type { Outcome } from "../../runs/state/use-run-queries.ts"

export interface OutlineRow {
  readonly id: string
  readonly kind: "section" | "api" | "group" | "leaf" | "note"
  /** The outermost level is 1. */
  readonly depth: number
  readonly label: string
  readonly route?: Route
  /** The action of a row without a route. */
  readonly does?: "new-workflow" | "new-suite" | ImportKind
  /** The resource of a group of operations. */
  readonly resource?: { readonly api: string; readonly tag: string }
  readonly isOpen?: boolean
  readonly count?: number
  readonly method?: string | undefined
  readonly level?: Level
  readonly outcome?: Outcome | undefined
  readonly isDeprecated?: boolean | undefined
  readonly isUnsaved?: boolean
  readonly change?: FileChange["change"] | undefined
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
export const requestsRowId = (api: string): string => `${api}/requests`
export const requestFolderRowId = (api: string, resource: string): string => `${api}/requests/${resource}`
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
  const { apis, workflows, suites = [] } = source.project
  const sections: readonly Draft[] = [
    section("workflows", "Workflows", workflows.length, () => [
      ...workflowRows(source),
      ...goneWorkflows(source),
      { ...note("workflows", "New workflow…"), does: "new-workflow" },
    ]),
    section("suites", "Suites", suites.length, () => suiteRows(source)),
    section("apis", "APIs", apis.length, () => [
      ...untilRead(source).map((api) => apiDraft(source, api)),
      ...(apis.some((api) => isReading(source, api)) ? [] : importRows),
    ]),
  ]
  return placed(sections, 1, source)
}

function placed(
  drafts: readonly Draft[],
  depth: number,
  source: Pick<OutlineSource, "chosen" | "unsaved" | "changes">,
): readonly OutlineRow[] {
  return drafts.flatMap(({ children, opensItself, ...draft }, position) => {
    const row = {
      ...draft,
      isUnsaved: source.unsaved.has(draft.id),
      change: source.changes.get(draft.id),
      depth,
      position,
      siblings: drafts.length,
    }
    if (children === undefined) return [row]
    const isOpen = source.chosen.get(draft.id) ?? opensItself ?? false
    return [{ ...row, isOpen }, ...(isOpen ? placed(children(), depth + 1, source) : [])]
  })
}

const section = (id: string, label: string, count: number, children: () => readonly Draft[]): Draft => ({
  id,
  kind: "section",
  label,
  count,
  children,
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
  const all = workflows.map(({ name }) => ({
    ...leaf({ kind: "workflow", workflow: name }, name),
    outcome: outcomes.get(name),
  }))
  const groups = new Map<string, Draft[]>()
  for (const row of all) getOrCreate(groups, prefixOf(row.label), () => []).push(row)
  return all.flatMap((row): readonly Draft[] => {
    const prefix = prefixOf(row.label)
    const rows = groups.get(prefix) ?? []
    if (prefix === "" || rows.length < MIN_GROUP || rows.length === all.length) return [row]
    if (row !== rows[0]) return []
    return [{ ...group(workflowGroupId(row.label), `${prefix}…`, rows), opensItself: true }]
  })
}

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

/** The suites, the file with them, and the baseline, if these files exist. */
function suiteRows(source: OutlineSource): readonly Draft[] {
  const baseline = leaf({ kind: "baseline" }, BASELINE_FILE)
  const isUnsaved = source.unsaved.has(baseline.id)
  if (source.project.hasBaseline !== true && !isUnsaved) return settingsRows(source)
  return [
    ...settingsRows(source),
    { ...baseline, ...(source.project.hasBaseline !== true && { isGone: true }) },
  ]
}

function settingsRows({ project, outcomes, unsaved }: OutlineSource): readonly Draft[] {
  const file = leaf({ kind: "settings" }, PROJECT_FILE)
  if (project.suites !== undefined) {
    const suites = project.suites.map((suite) => ({
      ...leaf({ kind: "suite", suite }, suite),
      outcome: outcomes.get(suiteSubject(suite)),
    }))
    return [...suites, newSuite, file]
  }
  return [newSuite, ...(unsaved.has(file.id) ? [{ ...file, isGone: true }] : [])]
}

const newSuite: Draft = { ...note("suites", "New suite…"), does: "new-suite" }

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
      [environments(api), requests(source, api), operations(source, api)].filter(
        (group) => group !== undefined,
      ),
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

/** Saved requests in the folders of their resources. */
function requests(
  { unsaved, operations }: OutlineSource,
  { name: api, requests }: ApiView,
): Draft | undefined {
  const methodOf = methodsOf(operations.get(api)?.view?.operations ?? [])
  const leaves = requests.map(({ resource, name, target }) => ({
    resource,
    row: {
      ...leaf({ kind: "request", api, resource, request: name }, name),
      ...(target === undefined ? {} : { method: methodOf(target) }),
    },
  }))
  const known = new Set(leaves.map(({ row }) => row.id))
  const gone = [...unsaved].flatMap(([id, route]) =>
    route.kind === "request" && route.api === api && !known.has(id)
      ? [{ resource: route.resource, row: goneLeaf(route, route.request) }]
      : [],
  )
  const all = [...leaves, ...gone]
  const folders = new Map<string, Draft[]>()
  for (const { resource, row } of all) getOrCreate(folders, resource, () => []).push(row)
  const rows = [...folders].map(([resource, list]) => ({
    ...group(requestFolderRowId(api, resource), resource, list),
    opensItself: all.length <= fewEntries,
  }))
  return rows.length === 0
    ? undefined
    : { ...group(requestsRowId(api), "Saved requests", rows), count: all.length }
}

/** Returns a function that finds the method of an operation by its name. A method and a path are such a name, too. */
function methodsOf(operations: readonly OperationView[]): (target: string) => string | undefined {
  const byName = new Map(operations.map(({ name, method }) => [name, method]))
  return (target) => byName.get(target) ?? /^[A-Z]+(?= \/|$)/.exec(target)?.[0]
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
  for (const operation of operations)
    getOrCreate(resources, operation.resources[0] ?? "", () => []).push(operation)
  return [...resources].map(([resource, list]) => ({
    id: resourceRowId(api, resource),
    kind: "group",
    label: resource === "" ? "No resource" : resource,
    ...(resource === "" ? {} : { resource: { api, tag: resource } }),
    count: list.length,
    children: () =>
      list.map(({ method, path, deprecated }) => ({
        ...leaf({ kind: "operation", api, method, path }, path),
        method,
        isDeprecated: deprecated,
      })),
    opensItself: operations.length <= fewEntries,
  }))
}
