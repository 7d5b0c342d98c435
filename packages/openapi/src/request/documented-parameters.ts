// The documented parameters of a request in one location: path, query, header or cookie.

import { type Operation, writtenParameters } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import { securityOf } from "../document/security.ts"
import { schemaType } from "../schema/types/schema-type.ts"

export interface DocumentedParameters {
  readonly names: readonly string[]
  /** Returns whether a parameter may have this name: `perhaps` if the document doesn't list all names. */
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
      // `filter[name]` and `ids[]` are common notations. The name before the bracket is that of the object or list.
      const bracket = name.indexOf("[")
      const isPart = place === "query" && bracket > 0 && known.has(name.slice(0, bracket))
      return isOpen || isPart ? "perhaps" : "undocumented"
    },
  }
}

/** The headers that documents don't list as parameters: by OpenAPI 3.1.1 section 4.8.12.1, or as part of HTTP. */
const standardHeaders = new Set(
  [
    "accept accept-charset accept-encoding accept-language authorization cache-control connection cookie date expect",
    "content-encoding content-language content-length content-type forwarded from host origin pragma prefer range te",
    "if-match if-modified-since if-none-match if-range if-unmodified-since proxy-authorization referer traceparent",
    "tracestate user-agent via",
  ].flatMap((names) => names.split(" ")),
)

/**
 * Returns whether any name is possible, because a parameter can't be read or, in 3.2, `querystring` describes the whole
 * query.
 */
const hasUnknown = (operation: Operation, place: Parameter["in"]): boolean =>
  writtenParameters(operation).some((parameter) => {
    const where = parameter?.text("in")
    if (parameter?.text("name") === undefined && where === undefined) return true
    return place === "query" && where === "querystring"
  })

/** Returns whether a parameter may be an exploded object, whose properties become parameters. */
function isSpread({ style, explode, schema }: Parameter): boolean {
  if (!explode || style !== "form" || schema === undefined) return false
  return schemaType(schema, "request").kinds?.has("object") ?? true
}
