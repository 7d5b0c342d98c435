// Finds the APIs that a workflow needs: those of its requests, and the inbox if a value reads its address.

import {
  callsScripts,
  hasResponse,
  INBOX,
  readsInbox,
  touchedApis,
  valueStrings,
  walkBlocks,
  type Api,
  type InstanceFile,
  type Project,
  type RequestBlock,
  type Workflow,
  type WorkflowFile,
} from "@callsheet/format"
import type { Entry } from "./schedule.ts"

/** `isRead` is true if an input of the workflow reads the inbox's address. */
export function neededApis(
  { name, workflow, text }: Pick<WorkflowFile, "name" | "text"> & { readonly workflow: Workflow },
  { apis, inboxScripts }: Pick<Project, "apis" | "inboxScripts">,
  isRead = false,
): readonly string[] {
  const { blocks } = workflow
  const touched = touchedApis(blocks)
  if (touched.includes(INBOX) || apis.get(INBOX)?.environments.service !== INBOX) return touched
  const isNeeded =
    isRead ||
    readsInbox(text) ||
    (inboxScripts?.has(name) === true && callsScripts(blocks)) ||
    [...walkBlocks(blocks)].some(({ block }) => hasResponse(block) && savesInbox(block, apis))
  return isNeeded ? [...touched, INBOX] : touched
}

/** Returns whether a value of an entry reads the address of the project's inbox. */
export const inputsReadInbox = (
  { inputs }: Pick<Entry, "inputs">,
  { apis }: Pick<Project, "apis">,
): boolean =>
  apis.get(INBOX)?.environments.service === INBOX &&
  valueStrings(inputs, []).some(({ text }) => readsInbox(text))

const savesInbox = (block: RequestBlock, apis: Project["apis"]): boolean =>
  [...savedRequests(apis.get(block.request.api), block)].some(({ text }) => readsInbox(text))

/** Yields the saved requests that a block may send. If a placeholder selects the request, yields all. */
export function* savedRequests(api: Api | undefined, { request }: RequestBlock): Generator<InstanceFile> {
  if (request.instance === undefined) return
  for (const saved of api?.instances.values() ?? [])
    if (saved.name === request.instance || request.instance.includes("{{")) yield saved
}
