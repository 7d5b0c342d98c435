// What an operation asks of its requests, read from the document once: only what some request could break.

import { isJsonObject, type ValueType } from "@callsheet/format"
import { hasRequestBody, requestBodyOf, type RequestBody } from "../content.ts"
import { member, type Located, type OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"
import { parametersOf, type Parameter } from "../parameters.ts"
import { isIgnoredHeader } from "../request-faults.ts"
import { documentedParameters, type DocumentedParameters } from "../types/documented-parameters.ts"
import { schemaType } from "../types/schema-type.ts"
import { createPathReader, type PathReader } from "./wire-query.ts"

export interface OperationContract {
  readonly parameters: readonly ParameterContract[]
  /** Whether some parameter's value has to be held against its schema. */
  readonly judgesParameters: boolean
  /** Finds the values of the path; absent where none is looked at. */
  readonly readPath: PathReader | undefined
  readonly query: DocumentedParameters
  readonly isParameter: (query: string) => boolean
  readonly body: RequestBody | undefined
  /** Whether the document speaks of a body at all, be it by a reference that leads nowhere. */
  readonly takesBody: boolean
}

export interface ParameterContract {
  readonly parameter: Parameter
  /** Absent where any text will do. */
  readonly judged?: JudgedParameter
}

export interface JudgedParameter {
  readonly schema: Located
  readonly type: ValueType
}

export function readOperationContract(document: OpenApiDocument, operation: Operation): OperationContract {
  const documented = parametersOf(document, operation)
  const parameters = documented
    .filter(({ in: place, name }) => place !== "header" || !isIgnoredHeader(name))
    .map((parameter) => readParameter(document, parameter))
    .filter(({ parameter, judged }) => judged !== undefined || isAskedFor(parameter))
  const judged = parameters.filter((one) => one.judged !== undefined)
  const names = new Set(documented.filter((one) => one.in === "query").map(({ name }) => name))
  return {
    parameters,
    judgesParameters: judged.length > 0,
    readPath: judged.some(({ parameter }) => parameter.in === "path")
      ? createPathReader(operation.path)
      : undefined,
    query: documentedParameters(document, operation, "query"),
    isParameter: (name) => names.has(name),
    body: requestBodyOf(document, operation),
    takesBody: hasRequestBody(document, operation),
  }
}

/** Without a value for its path no request goes out. */
const isAskedFor = ({ in: place, required }: Parameter): boolean => required && place !== "path"

function readParameter(document: OpenApiDocument, parameter: Parameter): ParameterContract {
  const { schema } = parameter
  if (schema === undefined || isAnyText(schema)) return { parameter }
  return { parameter, judged: { schema, type: schemaType(document, schema, "request") } }
}

const textKeywords = [
  "enum",
  "const",
  "pattern",
  "minLength",
  "maxLength",
  "format",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "$ref",
  "$dynamicRef",
]

/** The commonest schema of a parameter, which nothing breaks. */
const isAnyText = ({ value }: Located): boolean =>
  isJsonObject(value) &&
  member(value, "type") === "string" &&
  !textKeywords.some((keyword) => member(value, keyword) !== undefined)
