// Answers `operations.read`: one operation as the page shows it, what it takes and what it answers.

import { CallsheetError, stringifyJson, unknownType } from "@callsheet/format"
import {
  findOperation,
  parametersOf,
  requestBodyType,
  requestMediaTypes,
  responseTypes,
  schemaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "@callsheet/openapi"
import type { BodyTypeView, Input, OperationDetail, ParameterView, ResponseTypeView } from "../calls/index.ts"
import { cut, fieldView, type Room, type Shown } from "./field-view.ts"
import { operationView } from "./read-documents.ts"
import type { KnownProject } from "./read-parts.ts"

/** More fields than a page shows of one operation, its parameters and responses together. */
const MAX_FIELDS = 3_000
/** A longer one is nothing that people change by hand. */
const LONGEST_EXAMPLE = 20_000

interface Telling {
  readonly document: OpenApiDocument
  readonly operation: Operation
  readonly shown: Shown
  readonly room: Room
}

/** Throws `api-unknown`, `operation-unknown`, and `document-invalid` if the API has no document that can be read. */
export async function readOperation(
  { api, operation, resource }: Input<"operations.read">,
  { sources, overview }: KnownProject,
): Promise<OperationDetail> {
  const { document } = await sources(api)
  // A document may hold a secret as an example or a name.
  const { masker: shown } = await overview()
  if (document === undefined)
    throw new CallsheetError("document-invalid", "the API has no document that can be read")
  const found = findOperation(document, { operation, resource })
  if (found.status === "found")
    return operationDetail({ document, operation: found.operation, shown, room: { left: MAX_FIELDS } })
  const hint = found.hint === undefined ? undefined : shown.text(found.hint)
  throw new CallsheetError("operation-unknown", shown.text(found.message), { hint })
}

function operationDetail(telling: Telling): OperationDetail {
  const { operation, shown } = telling
  const description = operation.value["description"]
  const body = bodyView(telling)
  return {
    ...operationView(operation, (text) => shown.text(cut(text))),
    description: typeof description === "string" ? shown.text(cut(description)) : undefined,
    parameters: parameterViews(telling),
    body,
    responses: responseViews(telling),
  }
}

function parameterViews(telling: Telling): readonly ParameterView[] {
  const { document, operation } = telling
  return parametersOf(document, operation)
    .map((parameter) => parameterView(parameter, telling))
    .sort((one, other) => Number(other.required === true) - Number(one.required === true))
}

function parameterView(parameter: Parameter, { document, shown, room }: Telling): ParameterView {
  const { name, required, description } = parameter
  const schema = parameter.schema ?? parameter.content?.schema
  const type = schema === undefined ? unknownType : schemaType(document, schema, "request")
  return {
    ...fieldView(type, shown, room),
    name: shown.text(name),
    in: parameter.in,
    required: required || undefined,
    description: description && shown.text(cut(description)),
  }
}

function bodyView({ document, operation, shown, room }: Telling): BodyTypeView | undefined {
  const body = requestBodyType(document, operation)
  if (body === undefined) return undefined
  const { required, mediaType, type, example } = body
  const isShort = example !== undefined && stringifyJson(example).length <= LONGEST_EXAMPLE
  return {
    required,
    mediaType,
    mediaTypes: requestMediaTypes(document, operation),
    type: fieldView(type, shown, room),
    example: isShort ? shown.value(example) : undefined,
  }
}

function responseViews({ document, operation, shown, room }: Telling): readonly ResponseTypeView[] {
  return responseTypes(document, operation).map(({ status, description, body, headers }) => ({
    status,
    description: description && shown.text(cut(description)),
    headers: [...headers.keys()].map(shown.text),
    body: body && fieldView(body, shown, room),
  }))
}
