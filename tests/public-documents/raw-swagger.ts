// An operation of a Swagger 2.0 document converted to 3.x, independent of packages/openapi.

import { follow, isObject, listAt, objectAt, type Raw } from "./raw-document.ts"

export interface RawParts {
  /** In path, query, header and cookie. */
  readonly parameters: readonly Raw[]
  readonly requestBody: Raw | undefined
  readonly responses: Raw
}

/** Body parameters become a body, and a schema becomes the content of each produced type. */
export function fromSwagger(root: Raw, operation: Raw, parameters: readonly Raw[]): RawParts {
  const consumes = mediaTypes(root, operation, "consumes")
  const produces = mediaTypes(root, operation, "produces")
  const within = (place: string) => parameters.filter((one) => one["in"] === place)
  const [body] = within("body")
  const fields = within("formData")
  return {
    parameters: parameters
      .filter((one) => one["in"] !== "body" && one["in"] !== "formData")
      .map((one) => ({ ...one, schema: one })),
    requestBody: body === undefined ? formOf(fields) : bodyOf(body, consumes),
    responses: Object.fromEntries(
      Object.entries(objectAt(operation, "responses")).map(([status, response]) => {
        const found = follow(root, response)
        if (!isObject(found) || found["schema"] === undefined) return [status, found]
        return [status, { ...found, content: contentOf(produces, found["schema"]) }]
      }),
    ),
  }
}

function mediaTypes(root: Raw, operation: Raw, field: "consumes" | "produces"): readonly string[] {
  const types = listAt(field in operation ? operation : root, field).map(String)
  return types.length === 0 ? ["*/*"] : types
}

const contentOf = (types: readonly string[], schema: unknown): Raw =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

const bodyOf = (body: Raw, consumes: readonly string[]): Raw => ({
  required: body["required"],
  content: contentOf(consumes[0] === "*/*" ? ["application/json"] : consumes, body["schema"]),
})

function formOf(fields: readonly Raw[]): Raw | undefined {
  if (fields.length === 0) return undefined
  const required = fields.filter((field) => field["required"] === true).map((field) => field["name"])
  const properties = Object.fromEntries(fields.map((field) => [String(field["name"]), field]))
  const type = fields.some((field) => field["type"] === "file")
    ? "multipart/form-data"
    : "application/x-www-form-urlencoded"
  return {
    required: required.length > 0,
    content: contentOf([type], { type: "object", required, properties }),
  }
}
