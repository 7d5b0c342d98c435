// Finds the secrets in a response: fields and whole bodies with `format: password` or `writeOnly`.

import { getOrCreate, type JsonValue, memo } from "@callsheet/format"
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
  return getOrCreate(fieldsOf(contract), media?.name ?? "", () => {
    // An undocumented content type may have any documented schema.
    const schemas = media === undefined ? contract.content.map(({ schema }) => schema) : [media.schema]
    return readFields(statesOf(operation.document), contract, schemas)
  })
}

const statesOf = memo((_: OpenApiDocument) => createValueStates())

/** Secret fields by media type. `""` stands for an undocumented content type. */
const fieldsOf = memo((_: DocumentedResponse) => new Map<string, SecretFields | undefined>())

function readFields(
  states: ValueStates,
  { headers }: DocumentedResponse,
  schemas: readonly (Part | undefined)[],
): SecretFields | undefined {
  const roots = surveyed(schemas)
  const names = headers
    .filter(({ judged, found }) => surveyed([judged?.schema ?? found]).length > 0)
    .map(({ name }) => name.toLowerCase())
  if (roots.length === 0 && names.length === 0) return undefined
  return { headers: new Set(names), valuesOf: (body) => secretValues(body, states(roots)) }
}

function surveyed(schemas: readonly (Part | undefined)[]): readonly SecretNode[] {
  const roots = schemas.flatMap((schema) => (schema && secretNodeOf(schema)) ?? [])
  survey(roots)
  return roots.filter(({ leads }) => leads !== false)
}
