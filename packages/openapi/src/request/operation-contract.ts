// The rules that a request can violate. They are read from the document once per operation.

import {
  memo,
  memoTexts,
  once,
  matchMediaType,
  isJsonArray,
  isNumber,
  type ValueType,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { requestBodyOf, bodyKindOf, type MediaType, type RequestBody } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { parametersOf, type Parameter } from "../document/parameters.ts"
import { partAt, type Part, type ObjectPart } from "../document/part.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { documentedParameters, type DocumentedParameters } from "./documented-parameters.ts"
import { isIgnoredHeader } from "./checked-request.ts"
import { createPathReader, type PathReader } from "./parameter-readings.ts"
import { member } from "../document/located.ts"
import { formats } from "../schema/validate/formats.ts"

export interface OperationContract {
  readonly parameters: readonly ParameterContract[]
  readonly readPath: PathReader | undefined
  readonly readsQuery: boolean
  readonly query: () => DocumentedParameters
  readonly isParameter: (query: string) => boolean
  readonly body: RequestBody | undefined
  readonly mediaOf: (contentType: string) => MediaType | undefined
}

export interface ParameterContract {
  readonly parameter: Parameter
  /** The rules for the value. Absent if any text is valid. */
  readonly judged?: JudgedParameter
}

export interface JudgedParameter {
  readonly schema: Part
  readonly type: ValueType
  readonly plain: PlainTests
  readonly isJson: boolean
  /** True if an empty text is valid, regardless of the schema (`allowEmptyValue`). */
  readonly mayBeEmpty: boolean
}

export const operationContract = memo((operation: Operation): OperationContract => {
  const documented = parametersOf(operation)
  const parameters = documented
    .filter(({ in: place, name }) => place !== "header" || !isIgnoredHeader(name))
    .map(readParameter)
    // A request without a required path parameter is never sent, so the checker skips them.
    .filter(
      ({ parameter, judged }) => judged !== undefined || (parameter.required && parameter.in !== "path"),
    )
  const judged = parameters.filter((one) => one.judged !== undefined)
  const names = new Set(documented.filter((one) => one.in === "query").map(({ name }) => name))
  const body = requestBodyOf(operation)
  return {
    parameters,
    readPath: judged.some(({ parameter }) => parameter.in === "path")
      ? createPathReader(operation.path)
      : undefined,
    readsQuery: parameters.some(({ parameter }) => parameter.in === "query"),
    query: once(() => documentedParameters(operation, "query")),
    isParameter: (name) => names.has(name),
    body,
    // A small cache is enough, because most requests of an operation have the same content type.
    mediaOf: memoTexts((contentType) => matchMediaType(body?.content ?? [], contentType), 100),
  }
})

function readParameter(parameter: Parameter): ParameterContract {
  const { content, style } = parameter
  const isJson = content !== undefined && bodyKindOf(content.name) === "json"
  const schema = content === undefined ? parameter.schema : content.schema
  // Only JSON can be read, and not as a whole query.
  if (schema === undefined || style === "querystring" || (content !== undefined && !isJson))
    return { parameter }
  if (!isJson && isAnyText(schema)) return { parameter }
  const type = schemaType(schema, "request")
  return {
    parameter,
    judged: {
      schema,
      type,
      plain: isJson ? {} : plainTests(schema),
      isJson,
      mayBeEmpty: parameter.in === "query" && allowsEmptyValue(schema),
    },
  }
}

/** Reads the flag from the parameter that contains the schema. In 2.0, the schema is that parameter. */
function allowsEmptyValue(schema: Part): boolean {
  const { document, pointer, isSwagger } = schema
  const holder = isSwagger ? schema : partAt(document, pointer.replace(/\/[^/#]*$/, ""))
  return holder?.member("allowEmptyValue") === true
}

const textKeywords =
  "enum const pattern minLength maxLength format allOf anyOf oneOf not if $ref $dynamicRef".split(" ")

const isAnyText = (schema: Part): boolean =>
  schema.text("type") === "string" && !textKeywords.some((keyword) => schema.member(keyword) !== undefined)

/** Returns true only if a string is certainly valid. False means that it may be valid or not. */
type TextTest = (text: string) => boolean

interface PlainTests {
  /** Tests the value. Absent if the schema is too complex or describes a list. */
  readonly value?: TextTest
  /** Tests each item of a list. Absent if the schema has rules for the list itself. */
  readonly item?: TextTest
}

/** Returns quick tests for values of a simple schema. Most schemas are simple, so most values need no validator. */
export function plainTests(schema: Part): PlainTests {
  const found = plainSchema(schema)
  if (found === undefined) return {}
  if (found.member("type") !== "array") {
    const test = scalarTest(found.value)
    return test === undefined ? {} : { value: test }
  }
  const items = found.inside("items")
  const isFree = listLimits.every((keyword) => found.member(keyword) === undefined)
  const inner = items && isFree ? plainSchema(items) : undefined
  const test = inner && scalarTest(inner.value)
  return test === undefined ? {} : { item: test }
}

const listLimits = ["minItems", "maxItems", "uniqueItems"]

/** Resolves the references of a schema. Returns undefined if it has keywords that this module doesn't handle. */
function plainSchema(schema: Part): ObjectPart | undefined {
  const isReference = schema.member("$ref") !== undefined
  // From 3.1 on, the keywords beside a reference apply too.
  if (isReference && !schema.isOld && Object.keys(schema.value as JsonObject).length > 1) return undefined
  const found = schema.dereferenceObject()
  const keys = Object.keys(found?.value ?? {})
  return keys.every((key) => plainKeywords.has(key) || key.startsWith("x-")) ? found : undefined
}

const readKeywords = "type format enum minimum maximum minLength maxLength items".split(" ")
const annotations = "title description default example examples deprecated $comment externalDocs xml".split(
  " ",
)
/**
 * Keywords that don't restrict the value. In 2.0, a schema also has the keywords of its parameter. `nullable` allows
 * more, not less.
 */
const ofParameters = "name in required collectionFormat allowEmptyValue nullable".split(" ")

const plainKeywords: ReadonlySet<string> = new Set(
  [readKeywords, listLimits, annotations, ofParameters].flat(),
)

function scalarTest(schema: JsonObject): TextTest | undefined {
  const { enum: allowed, type, format } = schema
  const limits = readLimits(schema)
  if (limits === undefined || (allowed !== undefined && !isJsonArray(allowed))) return undefined
  // Tests look up only strings and numbers.
  const values = new Set(allowed)
  const isAllowed = (value: JsonValue): boolean => allowed === undefined || values.has(value)
  const { holds = () => true } = (typeof format === "string" ? formats.get(format) : undefined) ?? {}
  switch (type) {
    case "string":
      return (text) => isOfLength(text, limits) && holds(text) && isAllowed(text)
    case "boolean":
      return allowed === undefined ? (text) => text === "true" || text === "false" : undefined
    case "integer":
    case "number": {
      const isWritten = type === "integer" ? isShortInteger : isShortNumber
      return (text) => {
        if (!isWritten(text)) return false
        const value = Number(text)
        return value >= limits.minimum && value <= limits.maximum && holds(value) && isAllowed(value)
      }
    }
    default:
      return undefined
  }
}

/** Returns whether text is an integer that a double represents exactly. */
const isShortInteger = (text: string): boolean => /^(?:0|-?[1-9][0-9]{0,14})$/.test(text)
const isShortNumber = (text: string): boolean => /^-?(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,7})?$/.test(text)

type Limits = NonNullable<ReturnType<typeof readLimits>>

function readLimits(schema: JsonObject) {
  const limit = (name: string, otherwise: number): number => {
    const value = member(schema, name)
    if (value === undefined) return otherwise
    return isNumber(value) && Math.abs(Number(value)) <= 1e15 ? Number(value) : NaN
  }
  const limits = {
    minimum: limit("minimum", -Infinity),
    maximum: limit("maximum", Infinity),
    minLength: limit("minLength", 0),
    maxLength: limit("maxLength", Infinity),
  }
  return Object.values(limits).some(Number.isNaN) ? undefined : limits
}

/** Checks a length in characters. A character is one or two code units. */
const isOfLength = ({ length }: string, { minLength, maxLength }: Limits): boolean =>
  length <= maxLength && (minLength === 0 || length >= 2 * minLength || (minLength === 1 && length > 0))
