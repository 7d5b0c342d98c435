// Describes the values of a response by its contract, to tell which ones may change between two runs.

import {
  isJsonObject,
  memo,
  type DescribedResponse,
  type DescribedValue,
  type JsonObject,
  type ResponseView,
  type ValuePath,
} from "@callsheet/format"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { matchesPattern } from "../schema/patterns/create-pattern.ts"
import { describingSchemas, itemKeywords } from "../schema/schema-graph.ts"
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
    body: (path) => media?.schema && describeValue(media.schema, path),
  }
}

/** Describes the value at a path by all schemas that may apply to it. Undefined if none does. */
function describeValue(root: Part, path: ValuePath): DescribedValue | undefined {
  let schemas = withDescribing([root])
  let isReadOnly = isMarked(schemas)
  for (const segment of path) {
    schemas = withDescribing(schemas.flatMap((schema) => schemasOf(schema, segment)))
    isReadOnly ||= isMarked(schemas)
    if (schemas.length === 0) break
  }
  if (schemas.length === 0 && !isReadOnly) return undefined
  return { isReadOnly, formats: new Set(schemas.flatMap((schema) => schema.text("format") ?? [])) }
}

const isMarked = (schemas: readonly Part[]): boolean =>
  schemas.some((schema) => schema.member("readOnly") === true)

/** Adds the schemas of the same values: references, and parts of combinations. */
function withDescribing(schemas: readonly Part[]): readonly Part[] {
  const found = new Map<JsonObject, Part>()
  const add = (schema: Part): void => {
    if (isJsonObject(schema.value) && !found.has(schema.value)) found.set(schema.value, schema)
  }
  schemas.forEach(add)
  // This loop also visits the schemas that it adds.
  for (const [value, schema] of found) describing(value, schema).forEach(add)
  return [...found.values()]
}

/** Computed once per schema, because the items of an array share theirs. */
const describing = memo((_: JsonObject, schema: Part) => describingSchemas(schema))

function schemasOf(schema: Part, segment: string | number): readonly Part[] {
  if (typeof segment === "number") {
    const { first, other } = itemKeywords(schema.value)
    return [schema.items(first)[segment] ?? schema.inside(other) ?? []].flat()
  }
  const matching = schema
    .entries("patternProperties")
    .filter(([pattern]) => matchesPattern(pattern, segment) === true)
  const own = [schema.inside("properties", segment), ...matching.map(([, part]) => part)].filter(
    (part) => part !== undefined,
  )
  return own.length > 0 ? own : [schema.inside("additionalProperties") ?? []].flat()
}
