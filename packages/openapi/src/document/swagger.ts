// What Swagger 2.0 says in words of its own: bodies, parameters, responses and servers, in the words of 3.x.

import { type JsonObject, memo, ownOf } from "@callsheet/format"
import type { MediaType, RequestBody } from "./content.ts"
import type { OpenApiDocument } from "./document.ts"
import { listMember, member, textMember } from "./located.ts"
import { type Operation, writtenParameters } from "./operations.ts"
import type { Parameter } from "./parameters.ts"
import { type Part, WrittenPart } from "./part.ts"

/** The operation's own list, be it empty, else the document's; any type where neither names one. */
function swaggerMediaTypes(
  { value, document }: Operation,
  field: "consumes" | "produces",
): readonly string[] {
  const holder = member(value, field) === undefined ? document.root : value
  const names = listMember(holder, field).filter((name) => typeof name === "string")
  return names.length === 0 ? ["*/*"] : [...new Set(names)]
}

export function rawParametersOf(operation: Operation): readonly Part[] {
  const merged = new Map<string, Part>()
  for (const found of writtenParameters(operation)) {
    const place = found?.text("in")
    // There is one body, whatever its name.
    const name = place === "body" ? "" : found?.text("name")
    if (found !== undefined && name !== undefined) merged.set(`${place} ${name}`, found)
  }
  return [...merged.values()]
}

/** `collectionFormat` as a style. A parameter is the schema of its value. */
export function swaggerParameterParts(
  schema: Part,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const format = schema.text("collectionFormat")
  const style = styleOf(format)
  if (place === "path" || place === "header") return { style: style ?? "simple", explode: false, schema }
  return { style: style ?? "form", explode: format === "multi", schema }
}

/** The style of 3.x that a `collectionFormat` means; undefined for commas. */
export const styleOf = (format: string | undefined): string | undefined => ownOf(styles, format ?? "")

/** Tabs have no style in 3.x. */
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

/** A reference that leads nowhere may be one to a body. */
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

/** A file goes as multipart, whatever `consumes` says; a form whose operation names no type of forms, in the usual one. */
function formTypes(types: readonly string[], hasFile: boolean): readonly string[] {
  if (hasFile) return ["multipart/form-data"]
  const forms = types.filter((type) => /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type))
  return forms.length === 0 ? ["application/x-www-form-urlencoded"] : forms
}

/** Its properties refer to the parameters, so that problems point at what is written. A parameter of another file is copied. */
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

/** The content of a response; none without a schema, which says that no content comes (2.0, "Response Object"). */
export function swaggerResponseContent(operation: Operation, response: Part): readonly MediaType[] {
  const written = response.inside("schema")
  if (written === undefined) return []
  const schema = written.text("type") === "file" ? undefined : written
  return swaggerMediaTypes(operation, "produces").map((name) => ({ name, schema }))
}

/** A header as the schema of its value; undefined for a list that is not written with commas, which nothing here reads. */
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

/** The first http or https scheme, with `host` and `basePath`. Undefined without a host or a scheme: a file came by neither. */
export function swaggerServerUrl({ root }: OpenApiDocument, operation?: Operation): string | undefined {
  const holder = member(operation?.value, "schemes") === undefined ? root : operation?.value
  const scheme = listMember(holder, "schemes").find((name) => name === "https" || name === "http")
  const host = textMember(root, "host")
  if (host === undefined || host === "" || scheme === undefined) return undefined
  const basePath = textMember(root, "basePath") ?? ""
  const path = basePath === "/" ? "" : basePath
  return `${scheme}://${host}${path === "" || path.startsWith("/") ? path : `/${path}`}`
}
