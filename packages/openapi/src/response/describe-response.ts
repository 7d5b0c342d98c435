// Describes the values of a response by its contract, to tell which ones may change between two runs.

import type { DescribedResponse, DescribedValue, ResponseView, ValuePath } from "@callsheet/format"
import { itemSchemasOf } from "../content/stream-schemas.ts"
import type { MediaType } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { schemasAlong } from "../schema/schemas-along.ts"
import { responseContract } from "./response-contract.ts"

/** Describes a response of an operation. Returns undefined if its status isn't documented. */
export function describeResponse(
  operation: Operation,
  { status, headers = {} }: Pick<ResponseView, "status" | "headers">,
): DescribedResponse | undefined {
  const contract = responseContract(operation, status)
  if (contract.status !== "found") return undefined
  const contentType = headers["content-type"]
  const media = typeof contentType === "string" ? contract.match(contentType) : undefined
  return {
    header: (name) => {
      const header = contract.headers.find((one) => one.name.toLowerCase() === name)
      return header?.judged && describeValue(header.judged.schema, [])
    },
    body: (path) => media && describeBody(media, String(contentType), path),
  }
}

function describeBody(media: MediaType, contentType: string, path: ValuePath): DescribedValue | undefined {
  const items = itemSchemasOf(media, contentType)
  if (items === undefined) return media.schema && describeValue(media.schema, path)
  for (const { schema, of } of items) {
    const isInside = of.every((step, at) => (step === "*" ? at < path.length : path[at] === step))
    const described = isInside ? describeValue(schema, path.slice(of.length)) : undefined
    if (described !== undefined) return described
  }
  return undefined
}

/** Describes the value at a path by all schemas that may apply to it. Undefined if none does. */
function describeValue(root: Part, path: ValuePath): DescribedValue | undefined {
  let schemas: readonly Part[] = []
  let isReadOnly = false
  for (schemas of schemasAlong(root, path)) {
    isReadOnly ||= isMarked(schemas)
    if (schemas.length === 0) break
  }
  if (schemas.length === 0 && !isReadOnly) return undefined
  return { isReadOnly, formats: new Set(schemas.flatMap((schema) => schema.text("format") ?? [])) }
}

const isMarked = (schemas: readonly Part[]): boolean =>
  schemas.some((schema) => schema.member("readOnly") === true)
