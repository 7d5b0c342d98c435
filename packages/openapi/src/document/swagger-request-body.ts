// Swagger 2.0: the parameter in `body`, or those in `formData`, as one request body.

import type { JsonObject } from "@callsheet/format"
import type { RequestBody } from "./content.ts"
import { type Located, member, type OpenApiDocument, textMember } from "./document.ts"
import { memo } from "./memo.ts"
import type { Operation } from "./operations.ts"
import { rawParametersOf } from "./raw-parameters.ts"
import { swaggerMediaTypes } from "./swagger-media-types.ts"

/** The request body of an operation; undefined where no parameter is one. */
export const swaggerRequestBody = (
  document: OpenApiDocument,
  operation: Operation,
): RequestBody | undefined => readBody(operation, document)

const readBody = memo((operation: Operation, document: OpenApiDocument): RequestBody | undefined => {
  const { parameters } = rawParametersOf(document, operation)
  const types = swaggerMediaTypes(document, operation, "consumes")
  const body = parameters.find(({ value }) => textMember(value, "in") === "body")
  const fields = parameters.filter(({ value }) => textMember(value, "in") === "formData")
  return body === undefined ? formOf(operation, fields, types) : bodyOf(body, types)
})

/** Whether some parameter is a body, or may be one. */
export const hasSwaggerBody = (document: OpenApiDocument, operation: Operation): boolean =>
  swaggerRequestBody(document, operation) !== undefined || rawParametersOf(document, operation).hasUnknown

const isRequired = ({ value }: Located): boolean => member(value, "required") === true

function bodyOf(body: Located, types: readonly string[]): RequestBody {
  const schema = member(body.value, "schema")
  const described =
    schema === undefined ? {} : { schema: { value: schema, pointer: `${body.pointer}/schema` } }
  return { required: isRequired(body), content: types.map((name) => ({ name, ...described })) }
}

function formOf(
  operation: Operation,
  fields: readonly Located[],
  types: readonly string[],
): RequestBody | undefined {
  if (fields.length === 0) return undefined
  const hasFile = fields.some(({ value }) => textMember(value, "type") === "file")
  const schema = { value: objectOf(operation, fields), pointer: `${operation.pointer}/parameters` }
  return {
    required: fields.some(isRequired),
    content: formTypes(types, hasFile).map((name) => ({ name, schema })),
  }
}

/** A file goes as multipart, whatever `consumes` says; a form whose operation names no type of forms, in the usual one. */
function formTypes(types: readonly string[], hasFile: boolean): readonly string[] {
  if (hasFile) return ["multipart/form-data"]
  const forms = types.filter((type) => /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type))
  return forms.length === 0 ? ["application/x-www-form-urlencoded"] : forms
}

/**
 * Its properties refer to the parameters, so that what is said of one bears the pointer of what is written. One in another
 * file stands there itself: nothing inside it refers to anything.
 */
function objectOf(operation: Operation, fields: readonly Located[]): JsonObject {
  const isHere = ({ pointer }: { readonly pointer: string }): boolean => pointer.startsWith("/")
  const nameOf = ({ value }: Located): string => textMember(value, "name") ?? ""
  return {
    type: "object",
    required: fields.filter(isRequired).map(nameOf),
    properties: Object.fromEntries(
      fields.map((field) => [
        nameOf(field),
        isHere(operation) && isHere(field)
          ? { $ref: `#${field.pointer.replaceAll("%", "%25")}` }
          : field.value,
      ]),
    ),
  }
}
