// How a document's operations want to be called by someone known.

import { isJsonObject } from "@callsheet/format"
import { dereference, listMember, member, textMember, type OpenApiDocument } from "./document.ts"
import { escapePointer, valueAt } from "./json-pointer.ts"
import type { Operation } from "./operations.ts"

export type SecurityScheme =
  | {
      readonly kind: "apiKey"
      readonly name: string
      readonly in: "header" | "query" | "cookie"
      readonly parameter: string
    }
  | { readonly kind: "bearer" | "basic" | "unsupported"; readonly name: string }

/**
 * The alternatives of an operation; each is satisfied by all of its schemes together, an empty one (`{}`) by nothing at
 * all. No alternative: `security: []`, or nothing said.
 */
export function securityOf(
  document: OpenApiDocument,
  operation: Operation,
): readonly (readonly SecurityScheme[])[] {
  const holder = member(operation.value, "security") === undefined ? document.root : operation.value
  return listMember(holder, "security")
    .filter((requirement) => isJsonObject(requirement))
    .map((requirement) => Object.keys(requirement).map((name) => readScheme(document, name)))
}

function readScheme(document: OpenApiDocument, name: string): SecurityScheme {
  const isSwagger = document.version === "2.0"
  const pointer = isSwagger ? "/securityDefinitions" : "/components/securitySchemes"
  const raw = member(valueAt(document.root, pointer), name)
  const scheme =
    raw === undefined
      ? undefined
      : dereference(document, { value: raw, pointer: `${pointer}/${escapePointer(name)}` })?.value
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
