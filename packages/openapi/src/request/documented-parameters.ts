// The parameters of one location (path, query, header, cookie) that a request may have, as far as a document says.

import { type Operation, writtenParameters } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import { securityOf } from "../document/security.ts"
import { schemaType } from "../schema/types/schema-type.ts"

export interface DocumentedParameters {
  readonly names: readonly string[]
  /** Returns `perhaps` if the document leaves names open. */
  readonly allows: (name: string) => "documented" | "perhaps" | "undocumented"
}

export function documentedParameters(operation: Operation, place: Parameter["in"]): DocumentedParameters {
  const parameters = parametersOf(operation).filter((parameter) => parameter.in === place)
  const carried = securityOf(operation)
    .flat()
    .flatMap((scheme) => (scheme.kind === "apiKey" && scheme.in === place ? [scheme.parameter] : []))
  const key = place === "header" ? (name: string) => name.toLowerCase() : (name: string) => name
  const names = [...new Set([...parameters.map(({ name }) => name), ...carried])]
  const known = new Set(names.map(key))
  const isOpen = hasUnknown(operation, place) || parameters.some(isSpread)
  return {
    names,
    allows: (name) => {
      if (known.has(key(name)) || (place === "header" && standardHeaders.has(key(name)))) return "documented"
      // `filter[name]`, `ids[]`: common notations for an object or a list of that name.
      const bracket = name.indexOf("[")
      const isPart = place === "query" && bracket > 0 && known.has(name.slice(0, bracket))
      return isOpen || isPart ? "perhaps" : "undocumented"
    },
  }
}

/** OpenAPI 3.1.1 section 4.8.12.1: documents don't list these as parameters. Others belong to HTTP itself. */
const standardHeaders = new Set(
  [
    "accept accept-charset accept-encoding accept-language authorization cache-control connection cookie date expect",
    "content-encoding content-language content-length content-type forwarded from host origin pragma prefer range te",
    "if-match if-modified-since if-none-match if-range if-unmodified-since proxy-authorization referer traceparent",
    "tracestate user-agent via",
  ].flatMap((names) => names.split(" ")),
)

/** A parameter that can't be read may be any; 3.2's `querystring` is the whole query. */
const hasUnknown = (operation: Operation, place: Parameter["in"]): boolean =>
  writtenParameters(operation).some((parameter) => {
    const where = parameter?.text("in")
    if (parameter?.text("name") === undefined && where === undefined) return true
    return place === "query" && where === "querystring"
  })

/** An exploded object is written as parameters named after its properties. */
function isSpread({ style, explode, schema }: Parameter): boolean {
  if (!explode || style !== "form" || schema === undefined) return false
  return schemaType(schema, "request").kinds?.has("object") ?? true
}
