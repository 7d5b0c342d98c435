// Turns OpenAPI documents into workflows, a suite and what they need. Pure: the same documents give the same files.

import type { EntrySettings, SuiteSettings } from "@callsheet/format"
import {
  findOperation,
  findOperationByPath,
  listOperations,
  ofResource,
  successResponses,
  type Operation,
  type Resource,
} from "@callsheet/openapi"
import { cleanupEntries } from "./cleanup-entries.ts"
import { draftLifecycle, hasLifecycle } from "./draft-lifecycle.ts"
import { environmentFiles } from "./environment-files.ts"
import { anyRefusal, conflictOf, promisesNotFound, statusAssertions } from "./expectations.ts"
import type { Generated, GeneratedFile, GenerateChoice, GenerateRequest } from "./generated.ts"
import { Ground, resourceOf, type KnownApi } from "./ground.ts"
import { generateTexts } from "./texts.ts"
import { WorkflowDraft } from "./workflow-draft.ts"

const GENERATED_SUITE = "generated"

/** One workflow to make: of a resource, or of an operation without one. */
type Plan = { readonly api: KnownApi; readonly name: string } & (
  | { readonly is: "lifecycle"; readonly resource: Resource; readonly operations: readonly Operation[] }
  | { readonly is: "call"; readonly operation: Operation; readonly operations: readonly Operation[] }
)

export function generate(request: GenerateRequest): Generated {
  const ground = new Ground(request)
  // All names are handed out first, so that a choice doesn't change them.
  const plans = ground.apis.flatMap((api) => planOf(ground, api))
  const made = new Made(ground)
  const chosen = plans.filter((plan) => isChosen(plan, request.choice))
  for (const plan of chosen) made.add(plan)
  const apis = new Set(chosen.map(({ api }) => api))
  return made.result([...apis].flatMap(environmentFiles))
}

function planOf(ground: Ground, api: KnownApi): readonly Plan[] {
  const planned = new Set<Resource>()
  return listOperations(api.document).flatMap((operation): readonly Plan[] => {
    const found = api.model.roleOf(operation)
    if (found === undefined || !hasLifecycle(found.resource)) {
      const name = ground.workflowName(api, resourceOf(operation), operation.name)
      return [{ is: "call", api, name, operation, operations: [operation] }]
    }
    const { resource } = found
    if (planned.has(resource)) return []
    planned.add(resource)
    const operations = Object.values(resource.roles).map((role) => role.operation)
    return [{ is: "lifecycle", api, name: lifecycleName(ground, api, resource), resource, operations }]
  })
}

/** Names a resource by its tag, if no other resource of the API has that tag, or else by its path. */
function lifecycleName(ground: Ground, api: KnownApi, resource: Resource): string {
  return ground.workflowName(api, resourceWord(api, resource), "lifecycle")
}

function resourceWord(api: KnownApi, resource: Resource): string {
  const [first] = Object.values(resource.roles)
  const tag = first?.operation.tags[0]
  if (tag === undefined) return resource.name
  const sharing = api.model.resources.filter(
    (one) => hasLifecycle(one) && Object.values(one.roles).some(({ operation }) => operation.tags[0] === tag),
  )
  return sharing.length === 1 ? tag : resource.name
}

function isChosen({ api, operations }: Plan, choice: GenerateChoice): boolean {
  if (choice.api !== undefined && api.name !== choice.api) return false
  if (choice.tag !== undefined && ofResource(operations, choice.tag).length === 0) return false
  return (
    choice.operations === undefined ||
    choice.operations.some((name) => {
      const found = findOperation(api.document, { operation: name })
      return found.status === "found" && operations.includes(found.operation)
    })
  )
}

/** Collects what is made. */
class Made {
  readonly #ground: Ground
  readonly #files = new Map<string, GeneratedFile>()
  readonly #workflows: string[] = []
  readonly #entries: (string | EntrySettings)[] = []
  readonly #helpers: string[] = []
  readonly #operations = new Set<string>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  add(plan: Plan): void {
    const { api, name } = plan
    const draft = new WorkflowDraft(this.#ground, name)
    const [undocumented] = plan.operations.filter((one) => successResponses(one).length === 0)
    if (plan.is === "call" && undocumented !== undefined) return this.#skip(plan, generateTexts.noSuccess())
    const reason =
      plan.is === "lifecycle"
        ? draftLifecycle(draft, api, plan.resource)
        : draftCall(draft, api, plan.operation)
    if (reason !== undefined) return this.#skip(plan, reason)
    this.#keep(draft)
    for (const sent of draft.operations) this.#operations.add(`${sent.api.name} ${sent.operation.name}`)
    for (const operation of plan.operations)
      if (!draft.operations.some((sent) => sent.operation === operation))
        this.#ground.skipped.push({
          api: api.name,
          operation: operation.name,
          reason: generateTexts.noSuccess(),
        })
    if (draft.inputNames.length > 0) {
      this.#helpers.push(name)
      return this.#skip(plan, generateTexts.needsInputs(name, draft.inputNames))
    }
    this.#entries.push(this.#entryOf(draft))
  }

  result(environments: readonly GeneratedFile[]): Generated {
    const files = [...environments, ...this.#files.values()]
    const { skipped } = this.#ground
    const suite: SuiteSettings = { description: generateTexts.suite(), workflows: this.#entries }
    return {
      files,
      workflows: this.#workflows,
      suites: this.#entries.length === 0 ? {} : { [GENERATED_SUITE]: suite },
      helpers: this.#helpers,
      skipped,
      operations: [...this.#operations],
    }
  }

  #skip({ api, operations }: Plan, reason: string): void {
    for (const operation of operations)
      this.#ground.skipped.push({ api: api.name, operation: operation.name, reason })
  }

  #keep(draft: WorkflowDraft, validateContracts = true): void {
    this.#workflows.push(draft.name)
    const path = `apis/workflow/${draft.name}.json`
    this.#files.set(path, { path, value: draft.workflow(validateContracts) })
    for (const file of draft.files) this.#files.set(file.path, file)
  }

  #entryOf(draft: WorkflowDraft): string | EntrySettings {
    const last = cleanupEntries(draft, {
      nameOf: (api, resource) => this.#ground.workflowName(api, resourceWord(api, resource), "cleanup"),
      keep: (cleanup) => {
        this.#keep(cleanup, false)
        this.#helpers.push(cleanup.name)
      },
    })
    return last.length === 0 ? draft.name : { workflow: draft.name, finally: last }
  }
}

function draftCall(draft: WorkflowDraft, api: KnownApi, operation: Operation): string | undefined {
  const role = api.model.roleOf(operation)
  const creates = role?.role === "create" ? role.resource : undefined
  const put =
    operation.method === "GET" ? findOperationByPath(api.document, "PUT", operation.path) : undefined
  if (put !== undefined && promisesNotFound(operation)) draft.prepare({ api, operation: put, id: "prepare" })
  const sent = draft.send({ api, operation, id: "call", creates })
  if (!sent.ok) return sent.reason
  if (creates !== undefined) draft.created(creates, sent.id)
  const conflict = operation.method === "GET" ? undefined : conflictOf(operation)
  if (conflict === undefined) draft.assert("answered", statusAssertions(sent.id, operation))
  else draft.assert("answered", anyRefusal(sent.id), generateTexts.conflicts(conflict))
  return undefined
}
