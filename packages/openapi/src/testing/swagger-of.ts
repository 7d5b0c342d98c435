// For tests: converts a 3.x document to Swagger 2.0 and leaves out what 2.0 can't express.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { textMember } from "../document/located.ts"

export function swaggerOf(content: JsonObject): JsonObject {
  const { paths = {}, components = {}, servers, ...rest } = referring(content) as JsonObject
  const { schemas, responses, parameters, securitySchemes } = components as Readonly<
    Record<string, JsonObject>
  >
  return {
    ...rest,
    ...serverOf(servers),
    paths: mapObject(paths, (item) => pathItemOf(item, components as JsonObject)),
    ...(schemas === undefined ? {} : { definitions: schemas }),
    ...(responses === undefined ? {} : { responses: mapObject(responses, responseOf) }),
    ...(parameters === undefined ? {} : { parameters: mapObject(parameters, flat) }),
    ...(securitySchemes === undefined ? {} : { securityDefinitions: mapObject(securitySchemes, schemeOf) }),
    ...(isJsonObject(components) && components["pathItems"] !== undefined
      ? { "x-pathItems": components["pathItems"] }
      : {}),
  }
}

const places: readonly (readonly [string, string])[] = [
  ["#/components/schemas/", "#/definitions/"],
  ["#/components/responses/", "#/responses/"],
  ["#/components/parameters/", "#/parameters/"],
  ["#/components/securitySchemes/", "#/securityDefinitions/"],
  ["#/components/pathItems/", "#/x-pathItems/"],
]

const referring = (content: JsonObject): JsonValue =>
  mapTexts(content, (text) => {
    const found = places.find(([from]) => text.startsWith(from))
    return found === undefined ? text : found[1] + text.slice(found[0].length)
  })

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value)
  if (isJsonArray(value)) return value.map((item) => mapTexts(item, change))
  return isJsonObject(value) ? mapObject(value, (inner) => mapTexts(inner, change)) : value
}

const mapObject = (object: JsonValue, change: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object as JsonObject).map(([key, value]) => [key, change(value)]))

function serverOf(servers: JsonValue | undefined): JsonObject {
  const [first] = isJsonArray(servers) ? servers : []
  const url = /^(https?):\/\/([^/]+)(\/.*)?$/.exec(textMember(first, "url") ?? "")
  if (url === null) return {}
  return { schemes: [url[1]!], host: url[2]!, ...(url[3] === undefined ? {} : { basePath: url[3] }) }
}

function pathItemOf(item: JsonValue, components: JsonObject): JsonValue {
  if (!isJsonObject(item)) return item
  return mapObject(item, (value) =>
    isJsonArray(value) ? value.map(flat) : isJsonObject(value) ? operationOf(value, components) : value,
  )
}

function operationOf(operation: JsonObject, components: JsonObject): JsonObject {
  const { requestBody, parameters, responses, ...rest } = operation
  const own = isJsonArray(parameters) ? parameters.map(flat) : []
  const body = bodyOf(requestBody, components)
  const produces = [
    ...new Set(Object.values(isJsonObject(responses) ? responses : {}).flatMap(typesOf)),
    ...new Set(Object.values(objectIn(components, "responses")).flatMap(typesOf)),
  ]
  return {
    ...rest,
    ...(own.length + body.parameters.length === 0 ? {} : { parameters: [...own, ...body.parameters] }),
    ...(body.consumes.length === 0 ? {} : { consumes: body.consumes }),
    ...(produces.length === 0 ? {} : { produces: [...new Set(produces)] }),
    ...(responses === undefined ? {} : { responses: mapObject(responses, responseOf) }),
  }
}

const objectIn = (value: JsonValue | undefined, key: string): JsonObject => {
  const found = isJsonObject(value) ? value[key] : undefined
  return isJsonObject(found) ? found : {}
}

const typesOf = (holder: JsonValue | undefined): readonly string[] => Object.keys(objectIn(holder, "content"))

function bodyOf(
  requestBody: JsonValue | undefined,
  components: JsonObject,
): { readonly parameters: readonly JsonObject[]; readonly consumes: readonly string[] } {
  if (!isJsonObject(requestBody)) return { parameters: [], consumes: [] }
  const reference = requestBody["$ref"]
  const body =
    typeof reference === "string"
      ? objectIn(objectIn(components, "requestBodies"), reference.slice(reference.lastIndexOf("/") + 1))
      : requestBody
  const content = objectIn(body, "content")
  const [media] = Object.values(content)
  const schema = isJsonObject(media) ? (media["schema"] ?? {}) : {}
  return {
    parameters: [{ name: "body", in: "body", required: body["required"] ?? false, schema }],
    consumes: Object.keys(content),
  }
}

function responseOf(response: JsonValue): JsonValue {
  if (!isJsonObject(response) || response["$ref"] !== undefined) return response
  const { content, headers, ...rest } = response
  const [media] = Object.values(isJsonObject(content) ? content : {})
  return {
    ...rest,
    ...(isJsonObject(media) ? { schema: media["schema"] ?? {} } : {}),
    ...(headers === undefined ? {} : { headers: mapObject(headers, flat) }),
  }
}

const formats: Readonly<Record<string, string>> = { pipeDelimited: "pipes", spaceDelimited: "ssv" }

/** Moves a schema into its parameter or header, which is its own schema in 2.0. */
function flat(holder: JsonValue): JsonValue {
  if (!isJsonObject(holder)) return holder
  const { schema, style, ...rest } = holder
  const format = formats[typeof style === "string" ? style : ""]
  return {
    ...rest,
    ...(isJsonObject(schema) ? schema : {}),
    ...(format === undefined ? {} : { collectionFormat: format }),
  }
}

function schemeOf(scheme: JsonValue): JsonValue {
  return textMember(scheme, "type") === "http" && /^basic$/i.test(textMember(scheme, "scheme") ?? "")
    ? { type: "basic" }
    : scheme
}
