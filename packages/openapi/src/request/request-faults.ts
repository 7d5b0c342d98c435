// What may be wrong with a request, in the words that both `validate` and a run use.

import type { Operation } from "../document/operations.ts"
import type { Parameter } from "../document/parameters.ts"

type Asked = Pick<Operation, "method" | "path">

/** A parameter by the place where it goes. */
export const placeWords: { readonly [P in Parameter["in"]]: string } = {
  query: "query parameter",
  header: "header",
  cookie: "cookie",
  path: "path parameter",
}

export const undocumentedQuery = ({ method, path }: Asked, name: string): string =>
  `${method} ${path} documents no query parameter "${name}"`

export const missingParameter = (
  { method, path }: Asked,
  { in: place, name }: Pick<Parameter, "in" | "name">,
): string => `${method} ${path} requires the ${placeWords[place]} "${name}"`

export const missingBody = ({ method, path }: Asked): string =>
  `${method} ${path} requires a body, and none is sent`

export const undocumentedBody = ({ method, path }: Asked): string =>
  `${method} ${path} documents no request body`

/**
 * Headers that say what is sent and who sends it: parameters of these names are ignored (OpenAPI 3.1.1 section 4.8.12.1).
 */
export const isIgnoredHeader = (name: string): boolean => ignoredHeaders.has(name.toLowerCase())

const ignoredHeaders = new Set(["accept", "content-type", "authorization"])
