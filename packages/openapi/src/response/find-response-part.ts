// Finds the place in a document that describes a part of a response.

import { isArrayIndex } from "@callsheet/format"
import { itemSchemasOf } from "../content/stream-schemas.ts"
import { listResponses, type MediaType, responseContent } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"

/** The most schemas to look at, because schemas may contain themselves. */
const MAX_SCHEMAS = 1_000

/**
 * Returns the part for a path after `response`: the property, the header, or the response itself. Success responses come
 * first. Undefined if no response documents it.
 */
export function findResponsePart(operation: Operation, path: readonly string[]): Part | undefined {
  const [member, ...steps] = path
  const responses = listResponses(operation)
    .toSorted((a, b) => Number(isSuccess(b.status)) - Number(isSuccess(a.status)))
    .flatMap(({ response }) => response ?? [])
  if (member === "headers") return first(responses, (response) => headerIn(response, steps[0]))
  if (member !== "body") return responses[0]
  return first(responses, (response) =>
    first(responseContent(operation, response), (media) => partOfBody(media, steps)),
  )
}

function partOfBody(media: MediaType, steps: readonly string[]): Part | undefined {
  const items = itemSchemasOf(media, media.name)
  if (items === undefined) return media.schema && propertyIn(media.schema, steps)
  return first(items, ({ schema, of }) =>
    of.every((step, at) => (step === "*" ? isArrayIndex(steps[at] ?? "") : steps[at] === step))
      ? propertyIn(schema, steps.slice(of.length))
      : undefined,
  )
}

const isSuccess = (status: string): boolean => status.startsWith("2")

function first<T>(list: readonly T[], find: (item: T) => Part | undefined): Part | undefined {
  for (const item of list) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function headerIn(response: Part, name: string | undefined): Part | undefined {
  const all = response.entries("headers")
  if (name === undefined) return response
  return all.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1]
}

const propertyIn = (schema: Part, steps: readonly string[]): Part | undefined => schemasAt(schema, steps)[0]

/** Returns the schemas that describe the value at a path of names and indices. */
export const schemasAt = (schema: Part, steps: readonly string[]): readonly Part[] =>
  steps.reduce<readonly Part[]>(stepsFrom, [schema])

/** Returns the schemas of a property or item, in the order in which a reader looks for them. */
function stepsFrom(schemas: readonly Part[], step: string): readonly Part[] {
  const found: Part[] = []
  const work = [...schemas]
  for (let at = 0; at < Math.min(work.length, MAX_SCHEMAS); at++) {
    const target = work[at]?.dereference()
    if (target === undefined) continue
    const own = target.inside("properties", step)
    if (own !== undefined) found.push(own)
    if (isArrayIndex(step)) {
      const item = target.inside("prefixItems", Number(step)) ?? target.inside("items")
      if (item !== undefined) found.push(item)
    }
    for (const keyword of ["allOf", "oneOf", "anyOf"]) work.push(...target.items(keyword))
  }
  return found
}
