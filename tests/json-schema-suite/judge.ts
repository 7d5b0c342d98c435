// Callsheet's verdict on values of a schema. The values are response bodies, and the schema is in a separate file of an
// OpenAPI document.

import { stringifyJson, type JsonValue, type ReadFile } from "@callsheet/format"
import { createContractChecker, findOperation, readDocument } from "@callsheet/openapi"

export type Version = "3.0" | "3.1" | "3.2"

/** Returns the problems of a value as a user reads them. Empty if it matches the schema. */
export type Judge = (value: JsonValue) => Promise<readonly string[]>

/** `#` inside the schema then refers to the schema, as the suite expects. */
export async function judgeOf(version: Version, schema: JsonValue): Promise<Judge> {
  const root = {
    openapi: `${version}.0`,
    info: { title: "suite", version: "1" },
    paths: {
      "/": {
        get: {
          operationId: "get",
          responses: {
            "200": { description: "", content: { "application/json": { schema: { $ref: "schema.json" } } } },
          },
        },
      },
    },
  }
  const readFile: ReadFile = (file) =>
    file === "apis/suite/schema.json"
      ? { ok: true, value: { file, text: stringifyJson(schema, { indent: 2 }) } }
      : { ok: false, problem: { code: "file-unreadable", message: "does not exist" } }
  const source = { file: "apis/suite/openapi.json", text: JSON.stringify(root) }
  const { document } = await readDocument(source, { readFile })
  if (document === undefined) throw new Error("the document cannot be read")
  const found = findOperation(document, { operation: "get" })
  if (found.status !== "found") throw new Error(found.message)
  const checker = createContractChecker(document)
  return async (body) => {
    const headers = { "content-type": "application/json" }
    const response = { operation: found.operation, method: "GET", status: 200, headers, isWellFormed: true }
    const { problems } = await checker.check({ ...response, body })
    return problems.map(({ path, message }) => `${path}: ${message}`)
  }
}
