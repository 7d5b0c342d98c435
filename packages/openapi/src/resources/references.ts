// Finds the resource whose identifier a parameter or a field is: `orderId`, `order_id`, or a field with the format `order`.

import type { JsonValue, ValueType } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import type { Parameter } from "../document/parameters.ts"
import { schemasAt } from "../response/find-response-part.ts"
import type { Resource, ResourceModel, RoleOperation, Steps, Why } from "./resource-model.ts"
import { successBody, typeAt } from "./response-places.ts"
import {
  isCommonIdentifier,
  isGenericName,
  isIdentifierName,
  namesResource,
  plainName,
  singular,
} from "./words.ts"

export interface Reference {
  readonly resource: Resource
  readonly value: ReferringValue
  readonly why: Why
  /** True if only the name of the resource says so: `customer` for `customers`. */
  readonly isWeak: boolean
}

/** A parameter, or a field of a body. */
export interface ReferringValue {
  readonly name: string
  readonly schemas: readonly Part[]
}

export const referringParameter = ({ name, schema }: Parameter): ReferringValue => ({
  name,
  schemas: schema === undefined ? [] : withReferences(schemasAt(schema, [])),
})

/**
 * Returns a field of a body. An item of a list, such as `tagIds`, has the singular of the list's name. A field such as
 * `id` has the name of its object before its own: `folder_id`.
 */
export function referringField(schema: Part, steps: Steps): ReferringValue {
  const at = steps.findLastIndex((step) => !/^\d+$/.test(step))
  const own = steps[at] ?? ""
  const holder = steps.slice(0, Math.max(0, at)).findLast((step) => !/^\d+$/.test(step))
  const name = holder !== undefined && isIdentifierName(own) ? `${singular(holder)}_${own}` : own
  const schemas = withReferences(schemasAt(schema, steps))
  return { name: at < steps.length - 1 ? singular(name) : name, schemas }
}

const withReferences = (schemas: readonly Part[]): readonly Part[] =>
  schemas.flatMap((schema) => [schema, schema.dereference() ?? []].flat())

/** Returns whether the document says which values there are, by examples, a default or an enumeration. */
export const hasKnownValues = ({ schemas }: ReferringValue): boolean =>
  schemas.some((schema) =>
    ["enum", "const", "default", "example", "examples"].some(
      (keyword) => schema.member(keyword) !== undefined,
    ),
  )

/** Returns the resource that a value refers to. Looks in the first model first. */
export function findReference(
  models: readonly ResourceModel[],
  value: ReferringValue,
): Reference | undefined {
  if (hasChoice(value)) return undefined
  for (const { resources } of models) {
    const found = resources
      .filter((resource) => isProducer(resource, value))
      .flatMap((resource) => {
        const rank = rankOf(value, resource)
        return rank === undefined ? [] : [{ resource, rank }]
      })
      .toSorted((a, b) => a.rank - b.rank || depthOf(a.resource) - depthOf(b.resource))[0]
    if (found !== undefined) {
      const { resource, rank } = found
      return { resource, value, why: rank === 1 ? "format" : "name", isWeak: rank === 2 }
    }
  }
  return undefined
}

/** Returns whether the document lists the only possible values. */
export const hasChoice = ({ schemas }: ReferringValue): boolean =>
  schemas.some((schema) => schema.member("enum") !== undefined || schema.member("const") !== undefined)

/** Returns whether a response has what a value refers to: that of a new item, or one in a list. */
const isProducer = (resource: Resource, value: ReferringValue): boolean =>
  [resource.roles.create, resource.roles.list].some(
    (producer) => producer && referredPlaces(resource, producer, value).length > 0,
  )

/**
 * Returns where a response has what a value may refer to, the best place first: the required field that the value names,
 * such as `id` for `projectId`, and the identifier.
 */
export function referredPlaces(
  resource: Resource,
  { operation, identifier }: RoleOperation,
  value: ReferringValue,
): readonly Steps[] {
  if (identifier === undefined) return []
  const holder = identifier.slice(0, -1)
  const item = typeAt(successBody(operation), holder)
  const plain = plainName(value.name)
  const one = plainName(singular(resource.name))
  const isOwn = plain === plainName(resource.identifier?.parameter ?? "")
  const named = isOwn ? [] : (item?.names().filter((name) => one + plainName(name) === plain) ?? [])
  const required = new Set(item?.required())
  const isRequired = (name: string): boolean => required.has(name)
  const at = (name: string): Steps => [...holder, name]
  const places = [
    ...named.filter(isRequired).map(at),
    identifier,
    ...named.filter((name) => !isRequired(name)).map(at),
  ]
  return places.filter((place) => isKindOf(value, typeAt(successBody(operation), place)))
}

/** Returns whether a value may be of the same kind as a part of a response. */
function isKindOf({ schemas }: ReferringValue, type: ValueType | undefined): boolean {
  const wanted = schemas
    .flatMap((schema) => [schema.member("type")].flat())
    .filter((name) => typeof name === "string" && name !== "null")
    .map((name) => (name === "integer" ? "number" : name))
  const kinds = type?.kinds === undefined ? [] : [...type.kinds]
  return kinds.length === 0 || wanted.length === 0 || kinds.some((kind) => wanted.includes(kind))
}

const depthOf = ({ collectionPath = "", parent }: Resource): number =>
  collectionPath.split("/").length + (parent === undefined ? 0 : 10)

/** Returns how well a resource fits: 0 by the name of its identifier, 1 by the format, 2 by its own name. */
function rankOf(value: ReferringValue, resource: Resource): number | undefined {
  const { name, identifier } = resource
  const { parameter = "" } = identifier ?? {}
  const one = plainName(singular(name))
  // A parameter such as `{title}` is the name of too many other things.
  const isTelling =
    isForeignIdentifier(parameter) || isCommonIdentifier(parameter) || plainName(parameter).includes(one)
  const isParameter = isTelling && !isGenericName(parameter) && plainName(parameter) === plainName(value.name)
  const named = namesResource(value.name, name)
  if (isParameter || named === "identifier") return 0
  const formats = value.schemas.flatMap((schema) => schema.text("format") ?? []).map(plainName)
  if (
    one !== "" &&
    formats.some((format) => format === one || format === one + plainName(identifier?.field ?? ""))
  )
    return 1
  return named === "resource" && !hasKnownValues(value) && !isGenericName(value.name) ? 2 : undefined
}

/** Names such as `customer_id`, whose values only the server knows. Not those that clients make up. */
export function isForeignIdentifier(name: string): boolean {
  const isNamed = /[a-z\d](?:_id|-id|Id|ID|_uuid|Uuid|_guid|_gid|_sid)$/.test(name)
  return (
    isNamed &&
    !/^(?:external|client|request|correlation|idempotency|reference|trace|device|custom)/i.test(name)
  )
}

/** Yields the scalar values of a body with their paths. */
export function* scalarsIn(
  value: JsonValue,
  steps: Steps = [],
): Generator<{ steps: Steps; value: JsonValue }> {
  if (typeof value !== "object" || value === null) yield { steps, value }
  else
    for (const [name, inner] of Object.entries(value as Readonly<Record<string, JsonValue>>))
      yield* scalarsIn(inner, [...steps, name])
}
