// Finds the checks that a proposal weakens, compared with what a person has seen of the project. Many small proposals
// count as one. A saved request counts by the workflows that use it.

import {
  checkSavedRequest,
  checkWorkflow,
  hasResponse,
  touchedApis,
  walkBlocks,
  type InstanceFile,
  type Project,
  type ReadableWorkflow,
} from "@callsheet/format"
import { blocksThatName, findWeakened, type WeakenedCheck, type WorkflowState } from "@callsheet/language"
import { placeOf, type FileName } from "@callsheet/server"
import type { SeenFiles } from "./baseline.ts"
import type { Workbench } from "./workbench.ts"

export interface Weakened extends WeakenedCheck {
  /** The workflow, if it is not the file of the proposal. */
  readonly workflow?: string | undefined
}

export interface Change {
  readonly file: FileName
  /** The current text. Empty for a new file. */
  readonly before: string
  readonly text: string
}

type Instances = (api: string) => Promise<ReadonlyMap<string, InstanceFile>>

/** A workflow before and after the proposal. */
interface Comparison {
  readonly workflow?: string | undefined
  readonly before: { readonly readable: ReadableWorkflow | undefined; readonly instances: Instances }
  readonly after: { readonly readable: ReadableWorkflow | undefined; readonly instances: Instances }
}

export async function weakenedBy(workbench: Workbench, change: Change): Promise<readonly Weakened[]> {
  const { project } = await workbench.overview()
  const seen = await workbench.baseline.read()
  const stateOf = async (readable: ReadableWorkflow, instances: Instances): Promise<WorkflowState> => {
    const names = touchedApis(readable.workflow.blocks).filter((name) => project.apiNames.includes(name))
    const apis = names.map(async (name) => {
      const source = await workbench.sources(name)
      return [name, { ...source, api: { ...source.api, instances: await instances(name) } }] as const
    })
    return { readable, apis: new Map(await Promise.all(apis)) }
  }
  const found: Weakened[] = []
  for (const { workflow, before, after } of await comparisonsOf(change, project, seen)) {
    const { readable } = before
    if (readable === undefined) continue
    // A workflow that can't be read checks nothing.
    const nothing = { ...readable, workflow: { ...readable.workflow, blocks: [] } }
    const weakened = findWeakened({
      before: await stateOf(readable, before.instances),
      after: await stateOf(after.readable ?? nothing, after.instances),
    })
    for (const each of weakened) found.push(workflow === undefined ? each : { workflow, ...each })
  }
  return unique(found)
}

async function comparisonsOf(
  change: Change,
  project: Project,
  seen: SeenFiles,
): Promise<readonly Comparison[]> {
  const now: Instances = async (api) => project.apis.get(api)?.instances ?? new Map()
  const then: Instances = (api) => seenInstances(api, now, seen)
  const { file, before, text } = change
  if (file.kind === "workflow") {
    const after = { readable: readableOf(placeOf(file).file, text), instances: now }
    const earlier = await earlierWorkflows(change, project, seen)
    return [
      ...earlier.map(({ workflow, readable }) => ({
        workflow,
        before: { readable, instances: then },
        after,
      })),
      { before: { readable: readableOf(placeOf(file).file, before), instances: now }, after },
    ]
  }
  if (file.kind !== "request") return []
  const changed: Instances = async (api) => {
    const known = await now(api)
    if (api !== file.api) return known
    const instance = instanceOf(placeOf(file).file, text)
    return new Map([...known, [`${file.resource}/${file.request}`, instance]])
  }
  const named = { kind: "request", api: file.api, resource: file.resource, request: file.request } as const
  const users = new Set([...blocksThatName(project, named)].map(({ workflow }) => workflow))
  return [...users].flatMap(({ name: workflow, readable }) =>
    [then, now].map((instances) => ({
      workflow,
      before: { readable, instances },
      after: { readable, instances: changed },
    })),
  )
}

/**
 * Returns the texts of a workflow that a person has seen. A new file may be a renamed one: a workflow that is gone, and
 * sent one of its requests.
 */
async function earlierWorkflows(
  { file, before, text }: Change,
  project: Project,
  seen: SeenFiles,
): Promise<readonly { readonly workflow?: string; readonly readable: ReadableWorkflow | undefined }[]> {
  const own = placeOf(file).file
  const texts = await seen.textsOf(own, before)
  if (texts.length > 0) return texts.map((each) => ({ readable: readableOf(own, each) }))
  const sent = requestsOf(readableOf(own, text))
  const gone = [...seen.files].filter((each) => {
    const [, name] = /^apis\/workflow\/([^/]+)\.json$/.exec(each) ?? []
    return name !== undefined && !project.workflows.has(name)
  })
  const found: { workflow: string; readable: ReadableWorkflow | undefined }[] = []
  for (const each of gone)
    for (const earlier of await seen.textsOf(each)) {
      const readable = readableOf(each, earlier)
      const isSame = [...requestsOf(readable)].some((request) => sent.has(request))
      if (isSame) found.push({ workflow: each.slice("apis/workflow/".length, -".json".length), readable })
    }
  return found
}

const requestsOf = (readable: ReadableWorkflow | undefined): ReadonlySet<string> =>
  new Set(
    [...walkBlocks(readable?.workflow.blocks ?? [])].flatMap(({ block }) => {
      if (!hasResponse(block)) return []
      const { api, operation = "", instance = "" } = block.request
      return [JSON.stringify([api, operation, instance])]
    }),
  )

const readableOf = (file: string, text: string): ReadableWorkflow | undefined =>
  checkWorkflow({ file, text }).readable

function instanceOf(file: string, text: string): InstanceFile {
  const [resource = "", name = ""] = file.slice(0, -".json".length).split("/").slice(-2)
  return { file, text, resource, name, ...checkSavedRequest({ file, text }) }
}

/** Returns the saved requests of an API as a person has seen them. */
async function seenInstances(
  api: string,
  now: Instances,
  { files, textsOf }: SeenFiles,
): Promise<ReadonlyMap<string, InstanceFile>> {
  const current = await now(api)
  const found = new Map(current)
  for (const file of files) {
    const [, owner, name] = /^apis\/([^/]+)\/requests\/([^/]+\/[^/]+)\.json$/.exec(file) ?? []
    if (owner !== api || name === undefined) continue
    const known = current.get(name)
    const [text] = await textsOf(file, known?.text)
    if (text !== undefined && text !== known?.text) found.set(name, instanceOf(file, text))
  }
  return found
}

const unique = (found: readonly Weakened[]): readonly Weakened[] => [
  ...new Map(
    found.map((each) => [JSON.stringify([each.workflow, each.block, each.check, each.change]), each]),
  ).values(),
]
