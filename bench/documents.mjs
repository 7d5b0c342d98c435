// Writes projects whose workflow sends one validated request. The API's document has 10 KB or 10 MB.

import { openapi } from "./large-project.mjs"
import { writeFiles } from "./write-files.mjs"

/**
 * The documents. Like most large public documents, they contain non-ASCII characters, which double the time of
 * JSON.parse.
 */
export const benchDocuments = {
  small: { resources: 1, title: "Users’ items" },
  large: { resources: 1_097, title: "Users’ items" },
  ascii: { resources: 1_097, title: "Items of users" },
}

const item = {
  get: {
    operationId: "getItem",
    tags: ["items"],
    responses: {
      200: {
        description: "One item.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/BenchItem" } } },
      },
    },
  },
}

const itemSchema = {
  type: "object",
  required: ["id", "sku"],
  properties: { id: { type: "integer" }, sku: { type: "string" }, price: { type: "number" } },
}

const workflow = {
  version: 1,
  validateContracts: true,
  blocks: [
    { id: "get", type: "request", request: { api: "bench", resource: "items", operation: "getItem" } },
    {
      id: "check",
      type: "assert",
      assertions: [{ source: "get.response.status", operator: "equals", value: 200 }],
    },
  ],
}

const explanation =
  "Only people who may read the repository can call this. It takes the page that it is asked for, and says in its headers where the next one is. "

/**
 * Adds descriptions, which are most of the text in public documents. As in GitHub's and Kubernetes' documents, there is
 * a key every 60 bytes.
 */
const explained = (pathItem) =>
  Object.fromEntries(
    Object.entries(pathItem).map(([method, operation]) => [
      method,
      { ...operation, description: explanation.repeat(7) },
    ]),
  )

/** Writes the named project into `folder`. */
export async function writeDocumentProject(folder, { port, name }) {
  const { resources, title } = benchDocuments[name]
  const document = openapi(0, resources)
  // The measured path is in the middle, so that no half of the document can be skipped.
  const paths = Object.entries(document.paths).map(([path, pathItem]) => [path, explained(pathItem)])
  paths.splice(paths.length / 2, 0, ["/item", item])
  const schemas = { ...document.components.schemas, BenchItem: itemSchema }
  await writeFiles(folder, {
    "apis/bench/openapi.json": {
      ...document,
      info: { ...document.info, title },
      paths: Object.fromEntries(paths),
      components: { schemas },
    },
    "apis/bench/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/bench/environments/local.json": { baseUrl: `http://127.0.0.1:${port}` },
    "apis/workflow/one.json": workflow,
  })
}
