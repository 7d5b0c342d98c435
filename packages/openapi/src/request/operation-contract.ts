// The rules that a request can violate. They are read from the document once per operation.

import { memo, memoTexts, once, matchMediaType, type ValueType } from "@callsheet/format"
import { requestBodyOf, bodyKindOf, type MediaType, type RequestBody } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { parametersOf, type Parameter } from "../document/parameters.ts"
import { partAt, type Part } from "../document/part.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { documentedParameters, type DocumentedParameters } from "./documented-parameters.ts"
import { isIgnoredHeader } from "./checked-request.ts"
import { createPathReader, type PathReader } from "./parameter-readings.ts"

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
