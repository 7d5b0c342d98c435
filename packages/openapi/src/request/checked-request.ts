// A request as sent, and the problems found in it.

import type { BodyType, ContractProblem, JsonValue } from "@callsheet/format"
import type { Operation } from "../document/operations.ts"
import type { Parameter } from "../document/parameters.ts"

export interface CheckedRequest {
  readonly operation: Operation
  /** The absolute, percent-encoded URL. */
  readonly url: string
  /** The headers, with names in any case. A name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The cookies that the request itself sets. A cookie with an empty list is not sent. */
  readonly cookies: Readonly<Record<string, string | readonly string[]>>
  /** The names of query parameters that the request sets. Parameters of the base URL are not checked. */
  readonly queryNames: readonly string[]
  readonly body: SentBody | undefined
  /** Returns true if a string contains a secret, which no message may show. */
  readonly isSecret: (text: string) => boolean
}

export interface SentBody {
  readonly bytes: Uint8Array
  /** The value before encoding. Contains descriptions in place of files. */
  readonly value: JsonValue
  readonly bodyType: BodyType | undefined
}

export interface Complaint extends ContractProblem {
  /** The problem disappears if this header or cookie is sent, because defaults and the cookie jar may still add it. */
  readonly unlessSent?: { readonly in: "header" | "cookie"; readonly name: string }
}

type Asked = Pick<Operation, "method" | "path">

export const placeWords: { readonly [P in Parameter["in"]]: string } = {
  query: "query parameter",
  header: "header",
  cookie: "cookie",
  path: "path parameter",
}

export const undocumentedParameter = (
  { method, path }: Asked,
  { in: place, name }: Pick<Parameter, "in" | "name">,
): string => `${method} ${path} doesn't document a ${placeWords[place]} "${name}"`

export const missingParameter = (
  { method, path }: Asked,
  { in: place, name }: Pick<Parameter, "in" | "name">,
): string => `${method} ${path} requires the ${placeWords[place]} "${name}"`

export const missingBody = ({ method, path }: Asked): string =>
  `${method} ${path} requires a body, and none is sent`

export const undocumentedBody = ({ method, path }: Asked): string =>
  `${method} ${path} doesn't document a request body`

/** Returns whether a documented header parameter is ignored, as OpenAPI 3.1.1 section 4.8.12.1 requires. */
export const isIgnoredHeader = (name: string): boolean => ignoredHeaders.has(name.toLowerCase())

const ignoredHeaders = new Set(["accept", "content-type", "authorization"])
