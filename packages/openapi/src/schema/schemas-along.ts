// Finds the schemas of a part of a value, without a value that decides between alternatives.

import { isJsonObject, memo, type JsonObject, type ValuePath } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import { matchesPattern } from "./patterns/create-pattern.ts"
import { describingSchemas, itemKeywords } from "./schema-graph.ts"

/** Yields all schemas that may apply to the value, then to each part on the path. */
export function* schemasAlong(root: Part, path: ValuePath): Generator<readonly Part[]> {
  let schemas = withDescribing([root])
  yield schemas
  for (const segment of path) {
    schemas = withDescribing(schemas.flatMap((schema) => schemasOf(schema, segment)))
    yield schemas
  }
}

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
