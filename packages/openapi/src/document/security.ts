// How a document's operations want to be called by someone known, and where they take credentials.

import { isJsonObject, memo } from "@callsheet/format"
import { dereference, type OpenApiDocument, resolveReference } from "./document.ts"
import { inside, lastKey, listMember, member, textMember, valueAt } from "./located.ts"
import type { Operation } from "./operations.ts"

export type SecurityScheme =
  | {
      readonly kind: "apiKey"
      readonly name: string
      readonly in: "header" | "query" | "cookie"
      readonly parameter: string
    }
  | { readonly kind: "bearer" | "basic" | "unsupported"; readonly name: string }

/** Alternatives, each of schemes that are needed together; an empty one (`{}`) needs none. None: `security: []`, or nothing said. */
export function securityOf(
  document: OpenApiDocument,
  operation: Operation,
): readonly (readonly SecurityScheme[])[] {
  const isOwn = member(operation.value, "security") !== undefined
  const holder = isOwn ? operation.value : document.root
  const from = isOwn ? operation.pointer : ""
  return listMember(holder, "security")
    .filter((requirement) => isJsonObject(requirement))
    .map((requirement) => Object.keys(requirement).map((name) => readScheme(document, name, from)))
}

const holderOf = ({ version }: OpenApiDocument): string =>
  version === "2.0" ? "/securityDefinitions" : "/components/securitySchemes"

/** Every scheme that the document lists, and those that it asks for by default, which from 3.2 on may stand elsewhere. */
export function securitySchemesOf(document: OpenApiDocument): readonly SecurityScheme[] {
  const listed = valueAt(document.root, holderOf(document))
  const asked = listMember(document.root, "security").filter((requirement) => isJsonObject(requirement))
  const names = [listed, ...asked].flatMap((holder) => (isJsonObject(holder) ? Object.keys(holder) : []))
  return [...new Set(names)].map((name) => readScheme(document, name, ""))
}

function readScheme(document: OpenApiDocument, key: string, from: string): SecurityScheme {
  const isSwagger = document.version === "2.0"
  const found = findScheme(document, key, from)
  const scheme = found?.scheme?.value
  const name = found?.name ?? key
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
    case "basic":
      return { kind: isSwagger ? "basic" : "unsupported", name }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer", name }
    default:
      return { kind: "unsupported", name }
  }
}

/** A scheme by its name among the components of the root, or from 3.2 on by a reference; `name` is that of its variable. */
function findScheme(document: OpenApiDocument, key: string, from: string) {
  const holder = holderOf(document)
  const own = inside({ value: valueAt(document.root, holder) ?? null, pointer: holder }, key)
  if (own !== undefined) return { name: key, scheme: dereference(document, own) }
  const part = document.version === "3.2" ? resolveReference(document, key, from) : undefined
  return part && { name: lastSegment(part.pointer), scheme: dereference(document, part) }
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
