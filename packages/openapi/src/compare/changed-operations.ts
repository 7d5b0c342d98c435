// Finds the operations of two documents that differ in anything that a run or a check reads.

import {
  headerSchema,
  listResponses,
  type MediaType,
  requestBodyOf,
  responseContent,
} from "../document/content.ts"
import type { OpenApiDocument } from "../document/document.ts"
import { listOperations, type Operation } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import type { Part } from "../document/part.ts"
import { securityOf } from "../document/security.ts"
import { serverUrl, serverUrls } from "../document/server-url.ts"
import { createSameness, type Sameness } from "./sameness.ts"

/**
 * Returns the operations, as `METHOD /path`, that only one document has or whose resolved parts differ. Descriptions,
 * examples, the order of keys and the names of referenced components don't count.
 */
export function changedOperations(before: OpenApiDocument, after: OpenApiDocument): readonly string[] {
  const old = operationsByKey(before)
  const current = operationsByKey(after)
  const keys = [...new Set([...old.keys(), ...current.keys()])]
  // A version decides how every schema is read.
  if (before.version !== after.version || !sameValue(serverUrls(before), serverUrls(after))) return keys
  const sameness = createSameness()
  return keys.filter((key) => {
    const one = old.get(key)
    const other = current.get(key)
    return one === undefined || other === undefined || !isSameOperation(sameness, one, other)
  })
}

const operationsByKey = (document: OpenApiDocument): ReadonlyMap<string, Operation> =>
  new Map(listOperations(document).map((operation) => [`${operation.method} ${operation.path}`, operation]))

const isSameOperation = (sameness: Sameness, before: Operation, after: Operation): boolean =>
  before.operationId === after.operationId &&
  sameValue(before.resources, after.resources) &&
  sameValue(securityOf(before), securityOf(after)) &&
  serverUrl(before.document, before) === serverUrl(after.document, after) &&
  hasSameParameters(sameness, before, after) &&
  hasSameBody(sameness, before, after) &&
  hasSameResponses(sameness, before, after)

/** Compares small values that have the same order of keys. */
const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function hasSameParameters(sameness: Sameness, before: Operation, after: Operation): boolean {
  const old = parametersByKey(before)
  const current = parametersByKey(after)
  return (
    old.size === current.size &&
    [...old].every(([key, one]) => {
      const other = current.get(key)
      return (
        other !== undefined &&
        sameValue(plainParts(one), plainParts(other)) &&
        isSamePart(sameness, one.schema, other.schema) &&
        hasSameContent(sameness, one.content ? [one.content] : [], other.content ? [other.content] : [])
      )
    })
  )
}

const parametersByKey = (operation: Operation): ReadonlyMap<string, Parameter> =>
  new Map(parametersOf(operation).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))

const plainParts = ({ style, explode, allowReserved, required }: Parameter) => [
  style,
  explode,
  allowReserved,
  required,
]

function isSamePart(sameness: Sameness, before: Part | undefined, after: Part | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return sameness.isSame(before, after, "schema")
}

function hasSameBody(sameness: Sameness, before: Operation, after: Operation): boolean {
  const old = requestBodyOf(before)
  const current = requestBodyOf(after)
  if (old === undefined || current === undefined) return old === current
  return old.required === current.required && hasSameContent(sameness, old.content, current.content)
}

/** Compares media types in order, because the first one that callsheet can send is used. */
function hasSameContent(
  sameness: Sameness,
  before: readonly MediaType[],
  after: readonly MediaType[],
): boolean {
  return (
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index]
      if (one.name !== other?.name) return false
      // In 3.x, the media type also has the encodings of a form's fields.
      return one.value !== undefined && other.value !== undefined
        ? sameness.isSame(one.value, other.value, "media")
        : isSamePart(sameness, one.schema, other.schema)
    })
  )
}

function hasSameResponses(sameness: Sameness, before: Operation, after: Operation): boolean {
  const old = listResponses(before)
  const current = new Map(listResponses(after).map(({ status, response }) => [status, response]))
  return (
    old.length === current.size &&
    old.every(({ status, response }) => {
      const other = current.get(status)
      if (!current.has(status) || response === undefined || other === undefined)
        return response === other && current.has(status)
      return (
        hasSameContent(sameness, responseContent(before, response), responseContent(after, other)) &&
        hasSameHeaders(sameness, response, other)
      )
    })
  )
}

function hasSameHeaders(sameness: Sameness, before: Part, after: Part): boolean {
  const old = headersOf(before)
  const current = headersOf(after)
  return (
    old.size === current.size &&
    [...old].every(([name, one]) => {
      const other = current.get(name)
      return (
        other !== undefined &&
        one.member("required") === other.member("required") &&
        isSamePart(sameness, headerSchema(one), headerSchema(other))
      )
    })
  )
}

export const headersOf = (response: Part): ReadonlyMap<string, Part> =>
  new Map(
    response.entries("headers").flatMap(([name, header]) => {
      const found = header.dereferenceObject()
      return found === undefined ? [] : [[name.toLowerCase(), found] as const]
    }),
  )
