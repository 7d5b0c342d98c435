// What a document says of a request: its servers, media type, parameters and security.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import {
  dereference,
  escapePointer,
  member,
  objectMember,
  textMember,
  type OpenApiDocument,
} from "./document.ts"
import type { Operation } from "./operations.ts"

/** The URL of the first server that applies, variables filled in with their defaults; it may be relative. */
export function serverUrl(document: OpenApiDocument, operation?: Operation): string | undefined {
  for (const holder of [operation?.value, operation?.pathItem, document.root]) {
    const servers = member(holder, "servers")
    const first = Array.isArray(servers) ? (servers as readonly JsonValue[])[0] : undefined
    const url = textMember(first, "url")
    if (url !== undefined) return fillServer(url, objectMember(first, "variables") ?? {})
  }
  return undefined
}

const fillServer = (url: string, variables: JsonObject): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = member(member(variables, name), "default")
    return value === undefined || typeof value === "object" ? whole : String(value)
  })

/** The media types of the request body, in the order of the document. */
export function requestMediaTypes(document: OpenApiDocument, operation: Operation): readonly string[] {
  const body = member(operation.value, "requestBody")
  const found =
    body === undefined ? undefined : dereference(document, body, `${operation.pointer}/requestBody`)
  return Object.keys(objectMember(found?.value, "content") ?? {})
}

export type BodyKind = "json" | "form" | "multipart" | "text"

/** What a body of a media type is made of, or undefined for bytes. */
export function bodyKindOf(mediaType: string): BodyKind | undefined {
  const type = mediaType.split(";", 1)[0]!.trim().toLowerCase()
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return "json"
  if (type === "application/x-www-form-urlencoded") return "form"
  if (type === "multipart/form-data") return "multipart"
  return type.startsWith("text/") || type.endsWith("+xml") || type === "application/xml" ? "text" : undefined
}

/** The media type that a body is sent as: the first JSON type, else form, multipart, text. */
export function requestMediaType(
  document: OpenApiDocument,
  operation: Operation,
): { readonly mediaType: string; readonly kind: BodyKind } | undefined {
  const types = requestMediaTypes(document, operation)
  for (const kind of ["json", "form", "multipart", "text"] as const) {
    const mediaType = types.find((type) => bodyKindOf(type) === kind)
    if (mediaType !== undefined) return { mediaType, kind }
  }
  return undefined
}

export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header" | "cookie"
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly required: boolean
}

const parameterLists = new WeakMap<Operation, readonly Parameter[]>()

/** Parameters of the path item and the operation; the operation's replace those of the same name and place. */
export function parametersOf(document: OpenApiDocument, operation: Operation): readonly Parameter[] {
  let list = parameterLists.get(operation)
  if (list === undefined) {
    const merged = new Map<string, Parameter>()
    for (const [holder, pointer] of [
      [operation.pathItem, operation.pathPointer],
      [operation.value, operation.pointer],
    ] as const) {
      for (const parameter of readParameters(document, holder, pointer)) {
        merged.set(`${parameter.in} ${parameter.name}`, parameter)
      }
    }
    list = [...merged.values()]
    parameterLists.set(operation, list)
  }
  return list
}

function readParameters(
  document: OpenApiDocument,
  holder: JsonObject,
  pointer: string,
): readonly Parameter[] {
  const parameters = member(holder, "parameters")
  if (!Array.isArray(parameters)) return []
  return (parameters as readonly JsonValue[]).flatMap((raw, index) => {
    const value = dereference(document, raw, `${pointer}/parameters/${index}`)?.value
    const name = textMember(value, "name")
    const place = textMember(value, "in")
    if (name === undefined || !isPlace(place)) return []
    const style = textMember(value, "style") ?? defaultStyle[place]
    const explode = member(value, "explode")
    return [
      {
        name,
        in: place,
        style,
        explode: typeof explode === "boolean" ? explode : style === "form",
        allowReserved: member(value, "allowReserved") === true,
        required: place === "path" || member(value, "required") === true,
      },
    ]
  })
}

const defaultStyle = { query: "form", path: "simple", header: "simple", cookie: "form" } as const

const isPlace = (text: string | undefined): text is Parameter["in"] =>
  text !== undefined && Object.hasOwn(defaultStyle, text)

export type SecurityScheme =
  | {
      readonly kind: "apiKey"
      readonly name: string
      readonly in: "header" | "query" | "cookie"
      readonly parameter: string
    }
  | { readonly kind: "bearer" | "basic" | "unsupported"; readonly name: string }

/** The alternatives of an operation; each is satisfied by all of its schemes together. None: `security: []` or nothing said. */
export function securityOf(
  document: OpenApiDocument,
  operation: Operation,
): readonly (readonly SecurityScheme[])[] {
  const requirements = member(operation.value, "security") ?? member(document.root, "security")
  if (!Array.isArray(requirements)) return []
  return (requirements as readonly JsonValue[])
    .filter((requirement) => isJsonObject(requirement))
    .map((requirement) => Object.keys(requirement).map((name) => readScheme(document, name)))
}

function readScheme(document: OpenApiDocument, name: string): SecurityScheme {
  const pointer = "/components/securitySchemes"
  const raw = member(objectMember(objectMember(document.root, "components"), "securitySchemes"), name)
  const scheme =
    raw === undefined ? undefined : dereference(document, raw, `${pointer}/${escapePointer(name)}`)?.value
  switch (textMember(scheme, "type")) {
    case "apiKey": {
      const place = textMember(scheme, "in")
      const parameter = textMember(scheme, "name")
      const isKnown = place === "header" || place === "query" || place === "cookie"
      return isKnown && parameter !== undefined
        ? { kind: "apiKey", name, in: place, parameter }
        : { kind: "unsupported", name }
    }
    case "http": {
      const kind = textMember(scheme, "scheme")?.toLowerCase()
      return { kind: kind === "bearer" || kind === "basic" ? kind : "unsupported", name }
    }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer", name }
    default:
      return { kind: "unsupported", name }
  }
}
