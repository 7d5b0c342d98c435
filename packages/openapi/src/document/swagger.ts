// What Swagger 2.0 says in words of its own: bodies, parameters, responses and servers, in the words of 3.x.

import { type JsonObject, memoBySecond, ownOf } from "@callsheet/format"
import type { MediaType, RequestBody } from "./content.ts"
import type { OpenApiDocument } from "./document.ts"
import { inside, listMember, type Located, member, objectMember, textMember } from "./located.ts"
import { type Operation, writtenParameters } from "./operations.ts"
import type { Parameter } from "./parameters.ts"

/** The operation's own list, be it empty, else the document's; any type where neither names one. */
function swaggerMediaTypes(
  { root }: OpenApiDocument,
  { value }: Operation,
  field: "consumes" | "produces",
): readonly string[] {
  const holder = member(value, field) === undefined ? root : value
  const names = listMember(holder, field).filter((name) => typeof name === "string")
  return names.length === 0 ? ["*/*"] : [...new Set(names)]
}

export function rawParametersOf(document: OpenApiDocument, operation: Operation): readonly Located[] {
  const merged = new Map<string, Located>()
  for (const found of writtenParameters(document, operation)) {
    const place = textMember(found?.value, "in")
    // There is one body, whatever its name.
    const name = place === "body" ? "" : textMember(found?.value, "name")
    if (found !== undefined && name !== undefined) merged.set(`${place} ${name}`, found)
  }
  return [...merged.values()]
}

/** `collectionFormat` as a style. A parameter is the schema of its value. */
export function swaggerParameterParts(
  schema: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const format = textMember(schema.value, "collectionFormat")
  const style = styleOf(format)
  if (place === "path" || place === "header") return { style: style ?? "simple", explode: false, schema }
  return { style: style ?? "form", explode: format === "multi", schema }
}

/** The style of 3.x that a `collectionFormat` means; undefined for commas. */
export const styleOf = (format: string | undefined): string | undefined => ownOf(styles, format ?? "")

/** Tabs have no style in 3.x. */
const styles = { ssv: "spaceDelimited", tsv: "tabDelimited", pipes: "pipeDelimited" }

export const swaggerRequestBody = memoBySecond(
  (document: OpenApiDocument, operation: Operation): RequestBody | undefined => {
    const parameters = rawParametersOf(document, operation)
    const types = swaggerMediaTypes(document, operation, "consumes")
    const body = parameters.find(({ value }) => textMember(value, "in") === "body")
    const fields = parameters.filter(({ value }) => textMember(value, "in") === "formData")
    if (body === undefined) return formOf(operation, fields, types)
    const schema = inside(body, "schema")
    return { required: isRequired(body), content: types.map((name) => ({ name, schema })) }
  },
)

/** A reference that leads nowhere may be one to a body. */
export const hasSwaggerBody = (document: OpenApiDocument, operation: Operation): boolean =>
  swaggerRequestBody(document, operation) !== undefined ||
  writtenParameters(document, operation).includes(undefined)

const isRequired = ({ value }: Located): boolean => member(value, "required") === true

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

/** Its properties refer to the parameters, so that problems point at what is written. A parameter of another file is copied. */
function objectOf(operation: Operation, fields: readonly Located[]): JsonObject {
  const isHere = ({ pointer }: Located): boolean => pointer.startsWith("/")
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

/** The content of a response; none without a schema, which says that no content comes (2.0, "Response Object"). */
export function swaggerResponseContent(
  document: OpenApiDocument,
  operation: Operation,
  response: Located,
): readonly MediaType[] {
  const written = inside(response, "schema")
  if (written === undefined) return []
  const schema = textMember(written.value, "type") === "file" ? undefined : written
  return swaggerMediaTypes(document, operation, "produces").map((name) => ({ name, schema }))
}

/** A header as the schema of its value; undefined for a list that is not written with commas, which nothing here reads. */
export function swaggerHeaderSchema(header: Located): Located | undefined {
  let list = objectMember({ header: header.value }, "header")
  for (let depth = 0; depth < MAX_LISTS && list !== undefined; depth++) {
    const format = textMember(list, "collectionFormat") ?? "csv"
    if (format !== "csv") return undefined
    list = objectMember(list, "items")
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
