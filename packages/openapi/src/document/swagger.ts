// Converts bodies, parameters, responses and servers of Swagger 2.0 to the model of 3.x.

import { type JsonObject, memo, ownOf } from "@callsheet/format"
import type { MediaType, RequestBody } from "./content.ts"
import type { OpenApiDocument } from "./document.ts"
import { listMember, member, textMember } from "./located.ts"
import { type Operation, writtenParameters } from "./operations.ts"
import type { Parameter } from "./parameters.ts"
import { type Part, WrittenPart } from "./part.ts"

/**
 * Returns the operation's media types, even if its list is empty. Without a list, returns the document's or any type.
 */
function swaggerMediaTypes({ value, document }: Operation, field: "consumes" | "produces") {
  const holder = member(value, field) === undefined ? document.root : value
  const names = listMember(holder, field).filter((name) => typeof name === "string")
  return names.length === 0 ? ["*/*"] : [...new Set(names)]
}

export function rawParametersOf(operation: Operation): readonly Part[] {
  const merged = new Map<string, Part>()
  for (const found of writtenParameters(operation)) {
    const place = found?.text("in")
    // An operation has only one body, whatever its name.
    const name = place === "body" ? "" : found?.text("name")
    if (found !== undefined && name !== undefined) merged.set(`${place} ${name}`, found)
  }
  return [...merged.values()]
}

/** Maps `collectionFormat` to a style. In 2.0, a parameter is also the schema of its value. */
export function swaggerParameterParts(
  schema: Part,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const format = schema.text("collectionFormat")
  const style = styleOf(format)
  if (place === "path" || place === "header") return { style: style ?? "simple", explode: false, schema }
  return { style: style ?? "form", explode: format === "multi", schema }
}

/** Returns the 3.x style for a `collectionFormat`, or undefined for commas. */
export const styleOf = (format: string | undefined): string | undefined => ownOf(styles, format ?? "")

/** The styles by `collectionFormat`. 3.x doesn't have a style for tabs. */
const styles = { ssv: "spaceDelimited", tsv: "tabDelimited", pipes: "pipeDelimited" }

export const swaggerRequestBody = memo((operation: Operation): RequestBody | undefined => {
  const parameters = rawParametersOf(operation)
  const types = swaggerMediaTypes(operation, "consumes")
  const body = parameters.find((one) => one.text("in") === "body")
  const fields = parameters.filter((one) => one.text("in") === "formData")
  if (body === undefined) return formOf(operation, fields, types)
  const schema = body.inside("schema")
  return { required: isRequired(body), content: types.map((name) => ({ name, schema })) }
})

/** Returns true if the operation may have a body. A broken reference counts, because its target may be one. */
export const hasSwaggerBody = (operation: Operation): boolean =>
  swaggerRequestBody(operation) !== undefined || writtenParameters(operation).includes(undefined)

const isRequired = (part: Part): boolean => part.member("required") === true

function formOf(
  operation: Operation,
  fields: readonly Part[],
  types: readonly string[],
): RequestBody | undefined {
  if (fields.length === 0) return undefined
  const hasFile = fields.some((field) => field.text("type") === "file")
  const place = `${operation.pointer}/parameters`
  const schema = new WrittenPart(operation.document, objectOf(operation, fields), place)
  return {
    required: fields.some(isRequired),
    content: formTypes(types, hasFile).map((name) => ({ name, schema })),
  }
}

/** Returns the media types of a form: multipart for a file, else the form types in `consumes`, else the default. */
function formTypes(types: readonly string[], hasFile: boolean): readonly string[] {
  if (hasFile) return ["multipart/form-data"]
  const forms = types.filter((type) => /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type))
  return forms.length === 0 ? ["application/x-www-form-urlencoded"] : forms
}

/**
 * Builds a schema whose properties refer to the parameters, so that problems point to them. Copies parameters from
 * other files.
 */
function objectOf(operation: Operation, fields: readonly Part[]): JsonObject {
  const isHere = ({ pointer }: Part): boolean => pointer.startsWith("/")
  const nameOf = (field: Part): string => field.text("name") ?? ""
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

/** Returns a response's content. In 2.0, a response without a schema has no body ("Response Object"). */
export function swaggerResponseContent(operation: Operation, response: Part): readonly MediaType[] {
  const written = response.inside("schema")
  if (written === undefined) return []
  const schema = written.text("type") === "file" ? undefined : written
  return swaggerMediaTypes(operation, "produces").map((name) => ({ name, schema }))
}

/** Returns the schema of a header's value. Undefined for a list whose separator isn't a comma. */
export function swaggerHeaderSchema(header: Part): Part | undefined {
  let list: Part | undefined = header
  for (let depth = 0; depth < MAX_LISTS && list !== undefined; depth++) {
    const format = list.text("collectionFormat") ?? "csv"
    if (format !== "csv") return undefined
    list = list.inside("items")
  }
  return list === undefined ? header : undefined
}

const MAX_LISTS = 10

/** Builds a URL from the first http or https scheme, `host` and `basePath`. Undefined if one of them is missing. */
export function swaggerServerUrl({ root }: OpenApiDocument, operation?: Operation): string | undefined {
  const holder = member(operation?.value, "schemes") === undefined ? root : operation?.value
  const scheme = listMember(holder, "schemes").find((name) => name === "https" || name === "http")
  const host = textMember(root, "host")
  if (host === undefined || host === "" || scheme === undefined) return undefined
  const basePath = textMember(root, "basePath") ?? ""
  const path = basePath === "/" ? "" : basePath
  return `${scheme}://${host}${path === "" || path.startsWith("/") ? path : `/${path}`}`
}
