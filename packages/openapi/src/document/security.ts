// How a document's operations want to be called by someone known, and where they take credentials.

import { isJsonObject, memo } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { lastKey } from "./located.ts"
import type { Operation } from "./operations.ts"
import { type Part, partAt, WrittenPart } from "./part.ts"

export type SecurityScheme =
  | {
      readonly kind: "apiKey"
      readonly name: string
      readonly in: "header" | "query" | "cookie"
      readonly parameter: string
    }
  | { readonly kind: "bearer" | "basic" | "unsupported"; readonly name: string }

/** Alternatives, each of schemes that are needed together; an empty one (`{}`) needs none. None: `security: []`, or nothing said. */
export function securityOf(operation: Operation): readonly (readonly SecurityScheme[])[] {
  const isOwn = operation.member("security") !== undefined
  const holder = isOwn ? operation : rootOf(operation.document)
  return requirementsOf(holder).map((names) => names.map((name) => readScheme(holder, name)))
}

const rootOf = (document: OpenApiDocument): Part => new WrittenPart(document, document.root, "")

/** The names of the schemes of each alternative. */
const requirementsOf = (holder: Part): readonly (readonly string[])[] =>
  holder.list("security").filter(isJsonObject).map(Object.keys)

const listedSchemes = (document: OpenApiDocument): Part | undefined =>
  partAt(document, document.version === "2.0" ? "/securityDefinitions" : "/components/securitySchemes")

/** Every scheme that the document lists, and those that it asks for by default, which from 3.2 on may stand elsewhere. */
export function securitySchemesOf(document: OpenApiDocument): readonly SecurityScheme[] {
  const listed = listedSchemes(document)?.value
  const root = rootOf(document)
  const names = [isJsonObject(listed) ? Object.keys(listed) : [], ...requirementsOf(root)].flat()
  return [...new Set(names)].map((name) => readScheme(root, name))
}

function readScheme(holder: Part, key: string): SecurityScheme {
  const { name, scheme } = findScheme(holder, key)
  switch (scheme?.text("type")) {
    case "apiKey": {
      const place = scheme.text("in")
      const parameter = scheme.text("name")
      const isKnown = place === "header" || place === "query" || place === "cookie"
      return isKnown && parameter !== undefined
        ? { kind: "apiKey", name, in: place, parameter }
        : { kind: "unsupported", name }
    }
    case "http": {
      const kind = scheme.text("scheme")?.toLowerCase()
      return { kind: kind === "bearer" || kind === "basic" ? kind : "unsupported", name }
    }
    case "basic":
      return { kind: holder.isSwagger ? "basic" : "unsupported", name }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer", name }
    default:
      return { kind: "unsupported", name }
  }
}

/** A scheme by its name among the components of the root, or from 3.2 on by a reference; `name` is that of its variable. */
function findScheme(holder: Part, key: string): { readonly name: string; readonly scheme: Part | undefined } {
  const own = listedSchemes(holder.document)?.inside(key)
  if (own !== undefined) return { name: key, scheme: own.dereference() }
  const part = holder.document.version === "3.2" ? holder.resolve(key) : undefined
  return { name: part === undefined ? key : lastSegment(part.pointer), scheme: part?.dereference() }
}

/** `#/components/securitySchemes/token` is `token`; a whole file is what it is called. */
const lastSegment = (pointer: string): string => lastKey(pointer.replace(/\.(?:json|ya?ml)#?$/i, ""))

/** Where a security scheme of the document may put its credential, be it one that no operation names. Headers in lower case. */
export const credentialPlaces = memo((document: OpenApiDocument) => {
  const places = { header: new Set<string>(), query: new Set<string>(), cookie: new Set<string>() }
  for (const scheme of securitySchemesOf(document)) {
    // What callsheet cannot satisfy, such as `http` with `digest`, goes there as well, or nowhere in the request.
    if (scheme.kind !== "apiKey") places.header.add("authorization")
    else places[scheme.in].add(scheme.in === "header" ? scheme.parameter.toLowerCase() : scheme.parameter)
  }
  return { headers: places.header, query: places.query, cookies: places.cookie }
})
