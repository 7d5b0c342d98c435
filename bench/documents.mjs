// Writes two projects with one workflow of one validated request each: to an API with a document of 10 KB, and of 10 MB.

import { openapi } from "./large-project.mjs"
import { writeFiles } from "./write-files.mjs"

/** A resource takes about 6 KB of the document. */
export const documentSizes = {
  small: { resources: 2, what: "10 KB" },
  large: { resources: 1_650, what: "10 MB" },
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

/** Writes the project of a size below `folder`. */
export async function writeDocumentProject(folder, { port, size }) {
  const document = openapi(0, documentSizes[size].resources)
  // In the middle, so that neither half of the document can be left unread.
  const paths = Object.entries(document.paths)
  paths.splice(paths.length / 2, 0, ["/item", item])
  const schemas = { ...document.components.schemas, BenchItem: itemSchema }
  await writeFiles(folder, {
    "apis/bench/openapi.json": { ...document, paths: Object.fromEntries(paths), components: { schemas } },
    "apis/bench/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/bench/environments/local.json": { baseUrl: `http://127.0.0.1:${port}` },
    "apis/workflow/one.json": workflow,
  })
}
