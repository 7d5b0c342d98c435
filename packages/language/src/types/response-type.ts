// What `<id>.response` may be: by what its operation documents, and by the statuses that the workflow looks for.

import {
  scalarType,
  statusKeys,
  unionType,
  unknownType,
  type TypeStep,
  type ValueKind,
  type ValueType,
} from "@callsheet/format"
import {
  responseTypes,
  type DocumentedResponse,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"

/** Which statuses of a response a workflow looks for. */
export interface ExpectedStatuses {
  /** Those that an assertion names. */
  readonly exact: ReadonlySet<number>
  /** Whether something else may be asked of the status: then any may be meant. */
  readonly isOpen: boolean
}

export interface KnownResponse {
  readonly type: ValueType
  /** What responses that nothing in the workflow looks for are, where they are documented. */
  readonly otherwise?: ValueType
}

const numberType = scalarType("number")
const stringType = scalarType("string")

const remembered = new WeakMap<Operation, Map<string, KnownResponse>>()

export function knownResponse(
  document: OpenApiDocument,
  operation: Operation,
  expected: ExpectedStatuses,
): KnownResponse {
  const key = expected.isOpen ? "open" : [...expected.exact].join(" ")
  const known = remembered.get(operation) ?? new Map<string, KnownResponse>()
  remembered.set(operation, known)
  let response = known.get(key)
  if (response === undefined) {
    response = readResponse(document, operation, expected)
    known.set(key, response)
  }
  return response
}

function readResponse(
  document: OpenApiDocument,
  operation: Operation,
  expected: ExpectedStatuses,
): KnownResponse {
  const documented = responseTypes(document, operation)
  if (documented.length === 0) return unknownResponse
  const looked = documented.filter(({ status }) => isExpected(status, documented, expected))
  const others = documented.filter((response) => !looked.includes(response))
  const status = statusOf(documented)
  const type = responseOf(status, bodyOf(looked), headersOf(documented))
  const body = bodyOf(looked)
  if (others.length === 0 && body !== undefined) return { type }
  // Of a body that the document does not speak of nothing is known; some speak of one where HTTP has none.
  const otherBody = body === undefined ? unknownType : (bodyOf(others) ?? unknownType)
  return { type, otherwise: responseOf(status, otherBody, headersOf(documented)) }
}

/** Successes, and what the workflow names; of an operation that documents no success, everything. */
function isExpected(
  status: string,
  documented: readonly DocumentedResponse[],
  { exact, isOpen }: ExpectedStatuses,
): boolean {
  if (isOpen || isSuccess(status)) return true
  if (!documented.some((response) => isSuccess(response.status))) return true
  return [...exact].some((number) => keyOf(number, documented) === status)
}

const isSuccess = (status: string): boolean => status.startsWith("2")

const keyOf = (status: number, documented: readonly DocumentedResponse[]): string | undefined =>
  statusKeys(status).find((key) => documented.some((response) => response.status === key))

const bodyOf = (responses: readonly DocumentedResponse[]): ValueType | undefined => {
  const bodies = responses.flatMap(({ body }) => (body === undefined ? [] : [body]))
  return bodies.length === 0 ? undefined : unionType(bodies)
}

/** A document that lists every status by its number leaves no other. */
function statusOf(documented: readonly DocumentedResponse[]): ValueType {
  const numbers = documented.map(({ status }) => Number(status))
  return numbers.some((number) => Number.isNaN(number)) ? numberType : { ...numberType, values: numbers }
}

function responseOf(status: ValueType, body: ValueType | undefined, headers: ValueType): ValueType {
  const steps: Readonly<Record<string, ValueType | undefined>> = {
    status,
    durationMs: numberType,
    headers,
    body,
  }
  const names = Object.keys(steps).filter((name) => steps[name] !== undefined)
  return objectLike((name) => toOrNowhere(Object.hasOwn(steps, name) ? steps[name] : undefined), names)
}

/** Any header may come; names are lower-case, and only `set-cookie` is a list. */
function headersOf(documented: readonly DocumentedResponse[]): ValueType {
  const names = new Set(documented.flatMap(({ headers }) => [...headers.keys()]))
  return objectLike(
    (name) => {
      if (name !== name.toLowerCase()) return { leads: "nowhere" }
      return { leads: "to", type: name === "set-cookie" ? listOfTexts : stringType }
    },
    [...names],
  )
}

const listOfTexts: ValueType = {
  ...objectLike(
    (segment) => (/^\d+$/.test(segment) ? { leads: "to", type: stringType } : { leads: "nowhere" }),
    [],
  ),
  kinds: new Set<ValueKind>(["array"]),
}

const toOrNowhere = (type: ValueType | undefined): TypeStep =>
  type === undefined ? { leads: "nowhere" } : { leads: "to", type }

function objectLike(step: (name: string) => TypeStep, names: readonly string[]): ValueType {
  return { kinds: new Set<ValueKind>(["object"]), step, names: () => names, required: () => [] }
}

/** A response of which no document tells. */
export const unknownResponse: KnownResponse = { type: responseOf(numberType, unknownType, headersOf([])) }
