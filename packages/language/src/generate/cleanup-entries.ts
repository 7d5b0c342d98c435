// The entries of a suite that delete what a drafted workflow created, and the workflows that do it.

import { formatPath, getOrCreate, ownOf, type EntrySettings } from "@callsheet/format"
import { parametersOf, type Operation, type Resource } from "@callsheet/openapi"
import { freeName } from "../names/free-name.ts"
import { inputType } from "./draft-parts.ts"
import type { Cleanup, KnownApi } from "./ground.ts"
import { generateTexts } from "./texts.ts"
import { WorkflowDraft } from "./workflow-draft.ts"

interface CleanupMaking {
  /** Returns a free name for the workflow that deletes an item of a resource. */
  readonly nameOf: (api: KnownApi, resource: Resource) => string
  /** Receives each such workflow once. */
  readonly keep: (cleanup: WorkflowDraft) => void
}

/** Returns the entries for `finally`, the last item first. */
export function cleanupEntries(draft: WorkflowDraft, making: CleanupMaking): readonly EntrySettings[] {
  const names = new Set<string>()
  return draft.leftovers.toReversed().flatMap(({ resource, values }) => {
    const cleanup = cleanupOf(draft, resource, making)
    if (cleanup === undefined) return []
    const inputs = Object.fromEntries(cleanup.inputs.map((name) => [name, `{{${ownOf(values, name)}}}`]))
    // An entry may clean up two items of one resource.
    const name = freeName(cleanup.workflow, names)
    names.add(name)
    return [{ workflow: cleanup.workflow, ...(name === cleanup.workflow ? {} : { as: name }), inputs }]
  })
}

/** Returns the workflow that deletes an item of a resource. Makes it once. */
function cleanupOf(
  { ground }: WorkflowDraft,
  resource: Resource,
  { nameOf, keep }: CleanupMaking,
): Cleanup | undefined {
  return getOrCreate(ground.cleanups, resource, () => {
    const api = ground.apiOf(resource)
    const { delete: remove } = resource.roles
    if (remove === undefined) return undefined
    const name = nameOf(api, resource)
    const draft = new WorkflowDraft(ground, name)
    const inputs = draftCleanup(draft, api, remove.operation)
    if (inputs === undefined) return undefined
    keep(draft)
    return { workflow: name, inputs }
  })
}

/** Drafts the workflow that deletes an item. Returns its inputs. */
function draftCleanup(
  draft: WorkflowDraft,
  api: KnownApi,
  operation: Operation,
): readonly string[] | undefined {
  const names = parametersOf(operation).filter(({ in: place }) => place === "path")
  const tokens = names.map(({ name, schema }) => {
    const description = generateTexts.cleanup(name, operation)
    return [name, draft.input(name, { type: inputType(schema), required: true, description })] as const
  })
  const sent = draft.send({
    api,
    operation,
    id: "delete",
    path: Object.fromEntries(tokens),
    about: generateTexts.deletes(),
  })
  if (!sent.ok || draft.inputNames.length !== names.length) return undefined
  draft.assert("deleted", [
    { source: formatPath([sent.id, "response", "status"]), operator: "lessThan", value: 500 },
  ])
  return draft.inputNames
}
