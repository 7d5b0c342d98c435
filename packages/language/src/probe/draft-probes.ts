// Drafts the workflows that send probes: the requests that an operation depends on, and the probe itself, which a row
// selects. Pure: the same documents and saved requests give the same workflows.

import {
  asciiSlug,
  formatPath,
  parsePathOnce,
  setPath,
  type Block,
  type EntrySettings,
  type JsonObject,
  type Params,
} from "@callsheet/format"
import {
  findOperation,
  listOperations,
  requestMedia,
  type Operation,
  type ProbedRequest,
  type Resource,
} from "@callsheet/openapi"
import { cleanupEntries } from "../generate/cleanup-entries.ts"
import type { GeneratedFile, GeneratingApi, Skipped } from "../generate/generated.ts"
import { Ground, requestName, resourceOf, type KnownApi } from "../generate/ground.ts"
import { createdSource, WorkflowDraft } from "../generate/workflow-draft.ts"
import { idWord } from "../names/id-word.ts"
import { PROBE, probeTexts } from "./texts.ts"

export interface ProbeRequest {
  /** Every API of the project with a document, because a request may depend on several. */
  readonly apis: readonly GeneratingApi[]
  readonly api: string
  /** Names of operations. Without any, all of the API. */
  readonly operations: readonly string[]
  /** The names of workflows that no probe may have. */
  readonly workflowNames: readonly string[]
}

/** The workflow that sends the probes of an operation. A row names the saved request and the statuses that pass. */
export interface ProbeDraft {
  readonly operation: Operation
  readonly workflow: string
  /** The id of the block that sends the probe. */
  readonly call: string
  /** The file of rows, from the root of the project. */
  readonly data: string
  readonly resource: string
  /** A valid request. Its strings are templates. */
  readonly base: ProbedRequest
  /** Returns the content of a saved request. */
  readonly saved: (request: ProbedRequest, description: string) => JsonObject
  readonly entry: EntrySettings
  /** The files that its rows need: workflows, and files to upload. */
  readonly files: readonly GeneratedFile[]
  /** The maximum number of requests that one row sends before its cleanup. */
  readonly requestCount: number
}

/** A row of a probe: the inputs of its workflow. */
export interface ProbeRow {
  /** The saved request to send. */
  readonly request: string
  /** The status must be above this one and below the other. */
  readonly above: number
  readonly below: number
}

export interface DraftedProbes {
  readonly probes: readonly ProbeDraft[]
  readonly skipped: readonly Skipped[]
}

export function draftProbes({ apis, api: name, operations, workflowNames }: ProbeRequest): DraftedProbes {
  const ground = new Ground({ apis, workflowNames, choice: {} }, { onlyValid: true })
  const api = ground.apis.find((one) => one.name === name)
  if (api === undefined) throw new Error("the API of the probes has no document")
  const cleanups = new Map<string, GeneratedFile>()
  const probes: ProbeDraft[] = []
  const skipped: Skipped[] = []
  for (const operation of listOperations(api.document)) {
    // Names are handed out to all operations, so that a choice doesn't change them.
    const workflow = ground.names.add(probeName(operation.name))
    if (!isChosen(api, operation, operations)) continue
    const made = draftProbe({ ground, api, operation, workflow, cleanups })
    if (typeof made === "string") skipped.push({ api: name, operation: operation.name, reason: made })
    else probes.push(made)
  }
  return { probes, skipped }
}

const isChosen = ({ document }: KnownApi, operation: Operation, names: readonly string[]): boolean =>
  names.length === 0 ||
  names.some((one) => {
    const found = findOperation(document, { operation: one })
    return found.status === "found" && found.operation === operation
  })

/** The longest part of a name that comes from the document. */
const MAX_NAME = 80

/** Returns the name of a workflow or a saved request of a probe: `probe-create-order`. */
export const probeName = (...parts: readonly string[]): string =>
  `${PROBE}-${asciiSlug(parts.map(idWord).join("-").slice(0, MAX_NAME), "request")}`

interface Drafting {
  readonly ground: Ground
  readonly api: KnownApi
  readonly operation: Operation
  readonly workflow: string
  /** The workflows that delete items, by name. Receives new ones. */
  readonly cleanups: Map<string, GeneratedFile>
}

/** Returns the probe, or the reason why there is none. */
function draftProbe({ ground, api, operation, workflow, cleanups }: Drafting): ProbeDraft | string {
  const draft = new WorkflowDraft(ground, workflow)
  const role = api.model.roleOf(operation)
  const creates = role?.role === "create" ? role.resource : undefined
  for (const name of Object.keys(probeTexts.inputs)) draft.newId(name)
  const sent = draft.send({ api, operation, id: "call", creates })
  if (!sent.ok) return sent.reason
  if (draft.inputNames.length > 0) return probeTexts.needsInputs(draft.inputNames)
  if (creates !== undefined) noteCreated(draft, creates, sent.id)
  const last = cleanupEntries(draft, {
    nameOf: (one, resource) => ground.names.add(probeName(one.name, resource.name, "cleanup")),
    keep: (cleanup) => {
      const { name } = cleanup
      cleanups.set(name, { path: workflowPath(name), value: cleanup.workflow(false) })
    },
  })
  const resource = resourceOf(operation)
  const { blocks, base } = withProbe(draft, api, { call: sent.id, resource })
  const data = `data/${workflow}.ndjson`
  return {
    operation,
    workflow,
    call: sent.id,
    data,
    resource,
    base,
    saved: (request, description) =>
      ({ version: 1, description, operation: requestName(api, operation), ...request }) as JsonObject,
    entry: { workflow, data, ...(last.length === 0 ? {} : { finally: last }) },
    files: [
      ...draft.files.filter(({ path }) => !path.startsWith("apis/")),
      { path: workflowPath(workflow), value: probeWorkflow(blocks) },
      ...last.flatMap((one) => cleanups.get(one.workflow) ?? []),
    ],
    requestCount: draft.operations.length,
  }
}

/** Names the identifier only if the probe created an item, so that there is nothing to clean up otherwise. */
function noteCreated(draft: WorkflowDraft, resource: Resource, call: string): void {
  const { create } = resource.roles
  if (create?.identifier === undefined) return
  const [ifCreated, created] = [draft.newId("if-created"), draft.newId("created")]
  const source = createdSource(create, call)
  draft.created(resource, call, formatPath([created, "id"]))
  draft.add({
    id: ifCreated,
    type: "condition",
    if: { source, operator: "hasValue" },
    then: [{ id: created, type: "transform", transforms: { id: source } }],
  })
}

const workflowPath = (name: string): string => `apis/workflow/${name}.json`

function probeWorkflow(blocks: readonly Block[]): JsonObject {
  const { request, above, below } = probeTexts.inputs
  return {
    version: 1,
    // So that cleanup knows what an answer created that violates its contract.
    onFailure: "continue",
    validateContracts: true,
    inputs: {
      request: { type: "string", required: true, description: request },
      above: { type: "number", required: true, description: above },
      below: { type: "number", required: true, description: below },
    },
    blocks,
  } as JsonObject
}

interface Probed {
  /** The id of the block that sends the request. */
  readonly call: string
  readonly resource: string
}

/** Replaces the request by one that a row names. Returns the request that it was. */
function withProbe(
  draft: WorkflowDraft,
  api: KnownApi,
  { call, resource }: Probed,
): { readonly blocks: readonly Block[]; readonly base: ProbedRequest } {
  let base: ProbedRequest = {}
  const source = formatPath([call, "response", "status"])
  const blocks = draft.blocks.map((block): Block => {
    if (block.id !== call || !("request" in block)) return block
    base = requestOf(draft, api, block.request)
    return { ...block, request: { api: api.name, resource, instance: "{{request}}" } }
  })
  const checked: Block = {
    id: draft.newId("answered"),
    type: "assert",
    assertions: [
      { source, operator: "greaterThan", value: "{{above}}" },
      { source, operator: "lessThan", value: "{{below}}" },
    ],
  }
  return { blocks: [...blocks, checked], base }
}

type RequestTarget = Extract<Block, { type: "request" }>["request"]

/** Returns what a block sends as the content of a saved request. */
function requestOf(
  draft: WorkflowDraft,
  { api }: KnownApi,
  { resource, instance, operation, overrides }: RequestTarget,
): ProbedRequest {
  const saved = instance === undefined ? undefined : savedRequest(draft, api.name, `${resource}/${instance}`)
  const own =
    saved ?? (instance === undefined ? undefined : api.instances.get(`${resource}/${instance}`)?.request)
  let body = own?.body
  for (const [path, value] of Object.entries(overrides?.body ?? {})) {
    const parsed = parsePathOnce(path)
    const set = parsed.ok ? setPath(body, parsed.segments, value) : undefined
    if (set?.ok === true) body = set.value
  }
  const params = joinParams(own?.params, overrides?.params)
  const found = draft.operations.find((one) => requestName(one.api, one.operation) === operation)
  const kind = found && requestMedia(found.operation)?.kind
  const bodyType = own?.bodyType ?? (body === undefined ? undefined : kind)
  return {
    ...(params === undefined ? {} : { params }),
    ...(bodyType === undefined || bodyType === "json" ? {} : { bodyType }),
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns a saved request that the draft itself made, which has no file yet. */
function savedRequest(draft: WorkflowDraft, api: string, key: string): ProbedRequest | undefined {
  const file = draft.files.find(({ path }) => path === `apis/${api}/requests/${key}.json`)
  return file !== undefined && "value" in file ? file.value : undefined
}

function joinParams(saved: Params | undefined, given: Params | undefined): Params | undefined {
  if (saved === undefined) return given
  if (given === undefined) return saved
  const places = ["query", "path", "header", "cookie"] as const
  return Object.fromEntries(
    places.flatMap((place) => {
      const texts = { ...saved[place], ...given[place] }
      return Object.keys(texts).length === 0 ? [] : [[place, texts]]
    }),
  )
}
