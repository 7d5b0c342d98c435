// Finds the authentication that operations require, and where requests carry credentials.

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

/**
 * Returns the alternatives, each with the schemes that it requires (none for `{}`). Empty if no security is declared.
 */
export function securityOf(operation: Operation): readonly (readonly SecurityScheme[])[] {
  const isOwn = operation.member("security") !== undefined
  const holder = isOwn ? operation : rootOf(operation.document)
  return requirementsOf(holder).map((names) => names.map((name) => readScheme(holder, name)))
}

const rootOf = (document: OpenApiDocument): Part => new WrittenPart(document, document.root, "")

const requirementsOf = (holder: Part): readonly (readonly string[])[] =>
  holder.list("security").filter(isJsonObject).map(Object.keys)

const listedSchemes = (document: OpenApiDocument): Part | undefined =>
  partAt(document, document.version === "2.0" ? "/securityDefinitions" : "/components/securitySchemes")

/**
 * Returns every listed scheme and the schemes that are required by default. From 3.2 on, the latter may be in another
 * file.
 */
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

/**
 * Finds a scheme by its name in the root's components or, from 3.2 on, by a reference. `name` becomes the name of its
 * variable.
 */
function findScheme(holder: Part, key: string): { readonly name: string; readonly scheme: Part | undefined } {
  const own = listedSchemes(holder.document)?.inside(key)
  if (own !== undefined) return { name: key, scheme: own.dereference() }
  const part = holder.document.version === "3.2" ? holder.resolve(key) : undefined
  return { name: part === undefined ? key : lastSegment(part.pointer), scheme: part?.dereference() }
}

/** Returns `token` for `#/components/securitySchemes/token`, and the file name for a whole file. */
const lastSegment = (pointer: string): string => lastKey(pointer.replace(/\.(?:json|ya?ml)#?$/i, ""))

/** Returns the headers, query parameters and cookies that may carry credentials. Header names are in lower case. */
export const credentialPlaces = memo((document: OpenApiDocument) => {
  const places = { header: new Set<string>(), query: new Set<string>(), cookie: new Set<string>() }
  for (const scheme of securitySchemesOf(document)) {
    // Unsupported schemes, such as `http` with `digest`, use this header too.
    if (scheme.kind !== "apiKey") places.header.add("authorization")
    else places[scheme.in].add(scheme.in === "header" ? scheme.parameter.toLowerCase() : scheme.parameter)
  }
  return { headers: places.header, query: places.query, cookies: places.cookie }
})
