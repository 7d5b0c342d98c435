// Finds the secrets in a response: fields and whole bodies with `format: password` or `writeOnly`.

import { getOrCreate, isJsonArray, type JsonValue, memo, streamFormatOf } from "@callsheet/format"
import { type ItemSchema, itemSchemasOf } from "../content/stream-schemas.ts"
import { member } from "../document/located.ts"
import type { OpenApiDocument } from "../document/document.ts"
import { mayMarkSecrets } from "../document/marks.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { type DocumentedResponse, responseContract } from "./response-contract.ts"
import { type SecretNode, secretNodeOf, survey } from "../schema/secrets/secret-nodes.ts"
import { createValueStates, secretValues, type ValueStates } from "../schema/secrets/value-states.ts"

export interface SecretFields {
  readonly headers: ReadonlySet<string>
  /** Yields the secret strings and numbers of a body, possibly more than once. */
  readonly valuesOf: (body: JsonValue) => Iterable<string | number | bigint>
}

export interface ComingResponse {
  readonly status: number
  readonly contentType: string | undefined
}

/** Returns a response's secret fields, or undefined if there are none. Includes those of all alternative schemas. */
export function secretFieldsOf(
  operation: Operation,
  { status, contentType }: ComingResponse,
): SecretFields | undefined {
  if (!mayMarkSecrets(operation.document)) return undefined
  const contract = responseContract(operation, status)
  if (contract.status !== "found") return undefined
  const media = contentType === undefined ? undefined : contract.match(contentType)
  const stream = contentType === undefined ? undefined : streamFormatOf(contentType)
  return getOrCreate(fieldsOf(contract), `${stream ?? ""} ${media?.name ?? ""}`, () => {
    const states = statesOf(operation.document)
    const items = media && contentType !== undefined ? itemSchemasOf(media, contentType) : undefined
    // An undocumented content type may have any documented schema.
    const schemas = media === undefined ? contract.content.map(({ schema }) => schema) : [media.schema]
    return readFields(contract, items === undefined ? bodyReader(states, schemas) : itemReader(states, items))
  })
}

const statesOf = memo((_: OpenApiDocument) => createValueStates())

/** Secret fields by media type. `""` stands for an undocumented content type. */
const fieldsOf = memo((_: DocumentedResponse) => new Map<string, SecretFields | undefined>())

type ValuesOf = SecretFields["valuesOf"]

/** Returns undefined if no schema marks a value. */
function bodyReader(states: ValueStates, schemas: readonly (Part | undefined)[]): ValuesOf | undefined {
  const roots = surveyed(schemas)
  return roots.length === 0 ? undefined : (body) => secretValues(body, states(roots))
}

/** Reads the items of a stream. */
function itemReader(states: ValueStates, schemas: readonly ItemSchema[]): ValuesOf | undefined {
  const readers = schemas.flatMap(({ schema, of }) => {
    const valuesOf = bodyReader(states, [schema])
    return valuesOf === undefined ? [] : [{ valuesOf, of }]
  })
  if (readers.length === 0) return undefined
  return function* (body) {
    for (const { valuesOf, of } of readers) for (const part of partsAt(body, of)) yield* valuesOf(part)
  }
}

function* partsAt(body: JsonValue, of: ItemSchema["of"]): Generator<JsonValue> {
  if (of.length === 0) return yield body
  for (const item of isJsonArray(body) ? body : []) {
    const part = of.length === 1 ? item : member(item, "data")
    if (part !== undefined) yield part
  }
}

function readFields(
  { headers }: DocumentedResponse,
  valuesOf: ValuesOf | undefined,
): SecretFields | undefined {
  const names = headers
    .filter(({ judged, found }) => surveyed([judged?.schema ?? found]).length > 0)
    .map(({ name }) => name.toLowerCase())
  if (valuesOf === undefined && names.length === 0) return undefined
  return { headers: new Set(names), valuesOf: valuesOf ?? (() => []) }
}

function surveyed(schemas: readonly (Part | undefined)[]): readonly SecretNode[] {
  const roots = schemas.flatMap((schema) => (schema && secretNodeOf(schema)) ?? [])
  survey(roots)
  return roots.filter(({ leads }) => leads !== false)
}
