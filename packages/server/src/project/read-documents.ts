// Reads an API's document for the page: the document, its list of operations, or one operation.

import { createOutlineStore } from "@callsheet/engine"
import { CallsheetError, partOf, stringifyJson, unknownType } from "@callsheet/format"
import type { ApiSource } from "@callsheet/language"
import {
  credentialPlace,
  findOperation,
  parametersOf,
  readDocument,
  readOperations,
  requestBodyType,
  requestMediaTypes,
  responseTypes,
  schemaType,
  schemeVariable,
  securityOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type SecurityScheme,
} from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type {
  BodyTypeView,
  Input,
  OperationDetail,
  OperationsView,
  OperationView,
  ParameterView,
  ResponseTypeView,
  SecurityView,
} from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { cut, fieldView, type Room, type ViewMasker } from "./field-view.ts"
import type { Dated, Revisions } from "./revisions.ts"
import { readOneApi, type KnownProject } from "./read-parts.ts"

/** Reads an API and its document. The document is absent if it doesn't exist or can't be read. Throws `api-unknown`. */
export async function readApiSource(
  root: string,
  name: string,
  revisions: Revisions,
): Promise<Dated<ApiSource>> {
  const { revision, value: project } = await revisions.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  if (api === undefined) throw new Error("a requested API was not read")
  if (api.document === undefined) return { revision, value: { api } }
  const { readFile } = api
  const { document } = await readDocument(api.document, { readFile, outlines: createOutlineStore() })
  return { revision, value: { api, document } }
}

interface OperationsRequest extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly api: string
  readonly revisions: Revisions
}

/** Lists operations. Reads only the needed parts of the document. Throws `api-unknown`. */
export async function readOperationsView(request: OperationsRequest): Promise<Dated<OperationsView>> {
  const { root, api: name, revisions, overview } = request
  const { revision, value: project } = await revisions.read(() => readOneApi(root, name))
  const { document: source, readFile, problems = [] } = project.apis.get(name) ?? {}
  const read =
    source === undefined
      ? { operations: [], problems: [] }
      : await readOperations({ source, readFile, outlines: createOutlineStore() })
  const { masker } = await overview()
  const value = {
    ...("document" in read && read.document !== undefined ? describe(read.document, masker.text) : {}),
    operations: read.operations.map((operation) => operationView(operation, masker.text)),
    problems: maskProblems([...problems, ...read.problems], masker),
  }
  return { revision, value }
}

type Show = (text: string) => string

function describe(document: OpenApiDocument, show: Show): Pick<OperationsView, "version" | "title"> {
  const title = (document.part ?? partOf(document.root)).member("info")?.member("title")?.value()
  return { version: document.version, title: typeof title === "string" ? show(title) : undefined }
}

function operationView(operation: Operation, show: Show): OperationView {
  const { name, method, path, resources, summary, isDeprecated } = operation
  return {
    name,
    method,
    path,
    resources,
    summary: summary && show(summary),
    deprecated: isDeprecated || undefined,
  }
}

const MAX_FIELDS = 3_000
const LONGEST_EXAMPLE = 20_000

interface OperationContext {
  readonly operation: Operation
  readonly shown: ViewMasker
  readonly room: Room
}

/**
 * Describes an operation. Throws `api-unknown`, `operation-unknown`, and `document-invalid` if the document can't be
 * read.
 */
export async function readOperation(
  named: Input<"operations.read">,
  known: KnownProject,
): Promise<OperationDetail> {
  const { operation, masker: shown } = await findNamed(named, known)
  return operationDetail({ operation, shown, room: { left: MAX_FIELDS } })
}

/** Finds an operation in its document. Throws like `readOperation`. */
export async function findNamed(
  { api, operation, resource }: Input<"operations.read">,
  { sources, overview }: KnownProject,
) {
  const { document } = await sources(api)
  // A document may contain a secret as an example or as a name.
  const { masker: shown } = await overview()
  if (document === undefined) throw new CallsheetError(messages["document-invalid"].unreadable())
  const found = findOperation(document, { operation, resource })
  if (found.status === "found") return { document, operation: found.operation, masker: shown }
  const hint = found.hint === undefined ? undefined : shown.text(found.hint)
  throw new CallsheetError({ code: "operation-unknown", message: shown.text(found.message), hint })
}

function operationDetail(context: OperationContext): OperationDetail {
  const { operation, shown } = context
  const description = operation.text("description")
  const body = bodyView(context)
  return {
    ...operationView(operation, (text) => shown.text(cut(text))),
    description: description && shown.text(cut(description)),
    parameters: parameterViews(context),
    body,
    responses: responseViews(context),
    security: securityOf(operation).map((schemes) =>
      schemes.map((scheme) => securityView(scheme, shown.text)),
    ),
  }
}

export function securityView(scheme: SecurityScheme, show: Show): SecurityView {
  const place = credentialPlace(scheme)
  const oauth = scheme.kind === "bearer" ? scheme.oauth : undefined
  return {
    kind: scheme.kind,
    name: show(scheme.name),
    variable: schemeVariable(scheme.name),
    place: place && {
      in: place.location,
      name: scheme.kind === "apiKey" ? show(place.name) : "Authorization",
    },
    oauth: oauth && {
      flows: oauth.flows && flowNames.filter((flow) => oauth.flows?.[flow] !== undefined),
      scopes: oauth.scopes,
    },
  }
}

const flowNames = ["clientCredentials", "password", "authorizationCode"] as const

function parameterViews(context: OperationContext): readonly ParameterView[] {
  return parametersOf(context.operation)
    .map((parameter) => parameterView(parameter, context))
    .sort((one, other) => Number(other.required === true) - Number(one.required === true))
}

function parameterView(parameter: Parameter, { shown, room }: OperationContext): ParameterView {
  const { name, required, description } = parameter
  const schema = parameter.schema ?? parameter.content?.schema
  const type = schema === undefined ? unknownType : schemaType(schema, "request")
  return {
    ...fieldView(type, shown, room),
    name: shown.text(name),
    in: parameter.in,
    required: required || undefined,
    description: description && shown.text(cut(description)),
  }
}

function bodyView({ operation, shown, room }: OperationContext): BodyTypeView | undefined {
  const body = requestBodyType(operation)
  if (body === undefined) return undefined
  const { required, mediaType, type, example } = body
  const isShort = example !== undefined && stringifyJson(example).length <= LONGEST_EXAMPLE
  return {
    required,
    mediaType,
    mediaTypes: requestMediaTypes(operation),
    type: fieldView(type, shown, room),
    example: isShort ? shown.value(example) : undefined,
  }
}

function responseViews({ operation, shown, room }: OperationContext): readonly ResponseTypeView[] {
  return responseTypes(operation).map(({ status, description, body, headers, isStream }) => ({
    status,
    isStream,
    description: description && shown.text(cut(description)),
    headers: headers.map(shown.text),
    body: body && fieldView(body, shown, room),
  }))
}
