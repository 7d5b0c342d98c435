// Asserts the status of a request's response, which nothing reads yet.

import {
  hasResponse,
  jsonPlaceAt,
  startsWith,
  walkBlocks,
  type Block,
  type JsonPointer,
} from "@callsheet/format"
import { assertStatus, collectReferences, findTarget } from "@callsheet/language"
import { responseTypes } from "@callsheet/openapi"
import type { ActionRequest, Offer, Offering } from "./action.ts"

export const assertStatusOf: Offering = async (request): Promise<readonly Offer[]> => {
  const { file, view } = request.place
  const workflow = file.is.kind === "workflow" ? view.project.workflows.get(file.is.workflow) : undefined
  const { readable } = { ...workflow }
  if (readable === undefined) return []
  const found = requestAt(readable.workflow.blocks, jsonPlaceAt(file.text, request.offset).pointer)
  if (found === undefined || readable.broken.has(found.block)) return []
  const references = collectReferences(readable.workflow, {
    stringsOfRequest: () => [],
    declares: () => false,
  })
  if (references.readsStatus(found.block.id)) return []
  const status = await expectedStatus(request, found.block)
  const text = assertStatus(file.text, { pointer: found.pointer, status })
  if (text === undefined) return []
  const unread = request.diagnostics.find(({ code }) => code === "status-unread")
  return [
    {
      title: `Assert that "${found.block.id}" receives ${status}`,
      ...(unread === undefined ? { kind: "refactor.rewrite" } : { kind: "quickfix", diagnostic: unread }),
      texts: [{ file: file.path, before: file.text, after: text }],
    },
  ]
}

interface Found {
  readonly block: Block<"request">
  readonly pointer: JsonPointer
}

/** Returns the request block around the place. */
function requestAt(blocks: Parameters<typeof walkBlocks>[0], place: JsonPointer): Found | undefined {
  for (const { block, pointer: find } of walkBlocks(blocks)) {
    const pointer = find()
    if (hasResponse(block) && startsWith(place, pointer)) return { block, pointer }
  }
  return undefined
}

/** Returns the first status that the document has for a success. */
async function expectedStatus({ place }: ActionRequest, { request }: Block<"request">): Promise<number> {
  const source = await place.view.source(request.api)
  const found = source && findTarget(source, request)
  const operation = found?.found === true ? found.target.operation : undefined
  const statuses = operation === undefined ? [] : responseTypes(operation).map(({ status }) => Number(status))
  return statuses.find((status) => status >= 200 && status < 300) ?? 200
}
