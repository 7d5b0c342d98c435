// Finds the type of `<id>.response` from the documented responses and the statuses that the workflow checks.

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
  /** True if the workflow may expect any status, because it checks statuses in an unclear way. */
  readonly isOpen: boolean
}

export interface KnownResponse {
  readonly type: ValueType
  /** The type of documented responses whose statuses the workflow doesn't check. */
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
  const isStream = documented.some((response) => response.isStream)
  const known = bodyOf(looked)
  // A response can have an unexpected body if its body or status isn't documented.
  const isEnforced =
    documented.every((response) => response.body !== undefined) &&
    [...expected.exact].every((number) => keyOf(number, documented) !== undefined)
  const body = isEnforced ? known : known && asDescribed(known)
  const type = responseOf({ status, headers, isStream }, body)
  if (others.length === 0 && body !== undefined) return { type }
  // An undocumented body is unknown. Some documents describe bodies of responses that can't have any.
  const otherBody = body === undefined ? unknownType : (bodyOf(others) ?? unknownType)
  return { type, otherwise: responseOf({ status, headers, isStream }, otherBody) }
}

/**
 * Returns whether the workflow expects a status: a success, a status that it checks, or any if no success is
 * documented.
 */
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

/** Weakens all claims of a type to `described`: a valid response may contradict them. */
const asDescribed = (type: ValueType): ValueType => ({
  label: type.label,
  notes: type.notes,
  names: type.names,
  required: type.required,
  alternatives: type.alternatives?.map(asDescribed),
  get kinds() {
    return type.kinds
  },
  get values() {
    return type.values
  },
  get origin() {
    return type.origin && "described"
  },
  step: (segment) => {
    const step = type.step(segment)
    if (step.leads === "to") return { leads: "to", type: asDescribed(step.type) }
    return step.leads === "nowhere" ? { leads: "nowhere", origin: "described" } : step
  },
})

/**
 * Returns the type of the status. If the document has neither ranges nor `default`, only the documented numbers are
 * possible.
 */
function statusOf(documented: readonly DocumentedResponse[]): ValueType {
  const numbers = documented.map(({ status }) => Number(status))
  return numbers.some((number) => Number.isNaN(number)) ? numberType : { ...numberType, values: numbers }
}

interface ResponseParts {
  readonly status: ValueType
  readonly headers: ValueType
  readonly isStream: boolean
}

const responseOf = (
  { status, headers, isStream }: ResponseParts,
  body: ValueType | undefined,
): ValueType => ({
  ...objectType({
    status,
    durationMs: numberType,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(isStream ? { bodyText: stringType } : {}),
  }),
  required: () => [],
})

/** Returns the type of the headers, which allows any header. Names are in lower case, and only `set-cookie` is a list. */
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

const unknownParts: ResponseParts = { status: numberType, headers: headersOf([]), isStream: true }

export const unknownResponse: KnownResponse = { type: responseOf(unknownParts, unknownType) }
