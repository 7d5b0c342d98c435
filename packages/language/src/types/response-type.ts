// What `<id>.response` may be: by what its operation documents, and by the statuses that the workflow looks for.

import {
  arrayType,
  getOrCreate,
  memo,
  objectType,
  scalarType,
  statusKeys,
  unionType,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import { type DocumentedResponse, type Operation, responseTypes } from "@callsheet/openapi"

export interface ExpectedStatuses {
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

const responsesOf = memo((_: Operation) => new Map<string, KnownResponse>())

export function knownResponse(operation: Operation, expected: ExpectedStatuses): KnownResponse {
  const key = expected.isOpen ? "open" : [...expected.exact].join(" ")
  return getOrCreate(responsesOf(operation), key, () => readResponse(responseTypes(operation), expected))
}

function readResponse(documented: readonly DocumentedResponse[], expected: ExpectedStatuses): KnownResponse {
  if (documented.length === 0) return unknownResponse
  const looked = documented.filter(({ status }) => isExpected(status, documented, expected))
  const others = documented.filter((response) => !looked.includes(response))
  const status = statusOf(documented)
  const headers = headersOf(documented)
  const body = bodyOf(looked)
  const type = responseOf(status, body, headers)
  if (others.length === 0 && body !== undefined) return { type }
  // Of a body that the document does not speak of nothing is known; some speak of one where HTTP has none.
  const otherBody = body === undefined ? unknownType : (bodyOf(others) ?? unknownType)
  return { type, otherwise: responseOf(status, otherBody, headers) }
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

const responseOf = (status: ValueType, body: ValueType | undefined, headers: ValueType): ValueType => ({
  ...objectType({ status, durationMs: numberType, headers, ...(body === undefined ? {} : { body }) }),
  required: () => [],
})

/** Any header may come; names are lower-case, and only `set-cookie` is a list. */
function headersOf(documented: readonly DocumentedResponse[]): ValueType {
  const names = [...new Set(documented.flatMap(({ headers }) => headers))]
  return {
    kinds: new Set(["object"]),
    names: () => names,
    required: () => [],
    step: (name) =>
      name === name.toLowerCase()
        ? { leads: "to", type: name === "set-cookie" ? listOfTexts : stringType }
        : { leads: "nowhere" },
  }
}

const listOfTexts = arrayType(stringType)

export const unknownResponse: KnownResponse = { type: responseOf(numberType, unknownType, headersOf([])) }
