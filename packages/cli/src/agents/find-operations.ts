// The tool `find_operations`: searches the OpenAPI documents of all APIs.

import { shapes } from "@callsheet/format"
import { findOperation, securityOf, type SecurityScheme } from "@callsheet/openapi"
import type { FieldView, Output } from "@callsheet/server"
import { problemFields, problemsView } from "./problem-view.ts"
import { defineTool } from "./tool.ts"
import type { Workbench } from "./workbench.ts"

const { array, boolean, number, object, optional, required, string } = shapes

const texts = array(() => string())
const count = number({ integer: true, minimum: 0 })

const parameter = object({
  name: required(string(), "The name."),
  in: required(string(), "path, query, header or cookie."),
  required: required(boolean, "True if every request needs it."),
  type: required(string(), "The type, as TypeScript writes it."),
})

const operation = object({
  api: required(string(), "The value of request.api."),
  operation: required(string(), "The value of request.operation."),
  resources: required(texts, "The values that request.resource may have."),
  method: required(string(), "The HTTP method."),
  path: required(string(), "The path, with its parameters in braces."),
  summary: optional(string(), "The summary in the document."),
  deprecated: optional(boolean, "True if the document deprecates it."),
  parameters: required(
    array(() => parameter),
    "Set them in request.overrides.params.",
  ),
  body: optional(
    object({
      required: required(boolean, "True if the operation needs a body."),
      mediaType: required(string(), "The media type that callsheet sends."),
      type: required(string(), "The type, as TypeScript writes it."),
    }),
    "Set it in request.overrides.body.",
  ),
  responses: required(
    array(() =>
      object({
        status: required(string(), "200, 4XX or default."),
        type: optional(string(), "The type of the body."),
      }),
    ),
    "The documented responses.",
  ),
  security: required(texts, "The alternatives. callsheet reads credentials from variables with these names."),
})

export const findOperations = (workbench: Workbench) => {
  const { handlers } = workbench
  return defineTool({
    name: "find_operations",
    title: "Find operations",
    description:
      "Search the OpenAPI documents of the project. Returns how to call each operation: parameters, body, responses, security.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: object({
      query: optional(
        string(),
        "Words that an operation must all match: in its id, method, path or summary.",
      ),
      api: optional(string(), "Search only this API."),
      limit: optional(number({ integer: true, minimum: 1, maximum: 50 }), "The maximum number (default 10)."),
    }),
    output: object({
      total: required(count, "The number of matching operations."),
      operations: required(
        array(() => operation),
        "The first ones, in document order.",
      ),
      ...problemFields,
    }),
    run: async ({ query = "", api: only, limit = 10 }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean)
      const { apis } = await handlers["project.read"]({})
      const lists = await Promise.all(
        apis
          .filter(({ name }) => only === undefined || name === only)
          .map(async ({ name }) => ({ name, ...(await handlers["operations.list"]({ api: name })) })),
      )
      const found = lists.flatMap(({ name: api, operations }) =>
        operations.filter((view) => isMatch(api, view, words)).map((view) => ({ api, view })),
      )
      return {
        total: found.length,
        operations: await Promise.all(
          found.slice(0, limit).map(({ api, view }) => describe(workbench, api, view)),
        ),
        ...problemsView(lists.flatMap(({ problems }) => problems)),
      }
    },
  })
}

async function describe({ handlers, sources }: Workbench, api: string, view: Listed) {
  // This form of the name is never ambiguous.
  const name = `${view.method.toUpperCase()} ${view.path}`
  const detail = await handlers["operations.read"]({ api, operation: name })
  const { document } = await sources(api)
  const found = document && findOperation(document, { operation: name })
  const { body } = detail
  return {
    api,
    operation: detail.name,
    resources: detail.resources,
    method: detail.method,
    path: detail.path,
    summary: detail.summary,
    deprecated: detail.deprecated,
    parameters: detail.parameters.map((one) => ({
      name: one.name,
      in: one.in,
      required: one.required === true,
      type: typeText(one),
    })),
    body: body && { required: body.required, mediaType: body.mediaType, type: typeText(body.type) },
    responses: detail.responses.map(({ status, body: type }) => ({ status, type: type && typeText(type) })),
    security: found?.status === "found" ? securityOf(found.operation).map(securityText) : [],
  }
}

type Listed = Output<"operations.list">["operations"][number]

function isMatch(api: string, { name, method, path, resources, summary }: Listed, words: readonly string[]) {
  const text = [api, name, method, path, ...resources, summary].join("\n").toLowerCase()
  return words.every((word) => text.includes(word))
}

const securityText = (schemes: readonly SecurityScheme[]): string =>
  schemes
    .map((scheme) =>
      scheme.kind === "apiKey"
        ? `${scheme.name} (${scheme.in} ${scheme.parameter})`
        : `${scheme.name} (${scheme.kind})`,
    )
    .join(" and ") || "none"

const MAX_DEPTH = 4
const MAX_VALUES = 12
const MAX_TYPE = 2_000

function typeText(field: FieldView): string {
  const text = nestedType(field, 0)
  return text.length > MAX_TYPE ? `${text.slice(0, MAX_TYPE)}…` : text
}

function nestedType({ words, values, fields, items }: FieldView, depth: number): string {
  if (values !== undefined && values.length <= MAX_VALUES)
    return values.map((value) => JSON.stringify(value)).join(" | ")
  if (depth < MAX_DEPTH && items !== undefined) return `${nestedType(items, depth + 1)}[]`
  if (depth < MAX_DEPTH && fields !== undefined && fields.length > 0) {
    const members = fields.map(
      (field) => `${field.name}${field.required === true ? "" : "?"}: ${nestedType(field, depth + 1)}`,
    )
    return `{ ${members.join("; ")} }`
  }
  return words === "" ? "unknown" : words
}
