// Says how a request would authenticate in an environment, without sending it.

import {
  credentialPlace,
  securityOf,
  type OpenApiDocument,
  type Operation,
  type SecurityScheme,
} from "@callsheet/openapi"
import type { ResolvedEnvironment, ResolvedVariable } from "@callsheet/format"
import type { RequestAuth } from "../ports.ts"
import { satisfy, variableOf, type Finder } from "../request/credentials.ts"
import type { RequestBase } from "../request/request-template.ts"
import { createAuthFinder, findBase } from "./find-auth.ts"

export interface DescribedRequest extends Pick<Finder, "isSet"> {
  readonly document: OpenApiDocument | undefined
  readonly operation: Operation
  readonly environment: ResolvedEnvironment
}

interface SchemeState {
  readonly scheme: SecurityScheme
  /** `request`: the request sets the header, query parameter or cookie itself. `set`: variables do. */
  readonly state: "request" | "set" | "missing" | "unsupported"
  /** The variables of the scheme that have a value. */
  readonly given: readonly ResolvedVariable[]
  /** Set if the request is authorized when it is sent. */
  readonly auth?: RequestAuth | undefined
  /** The origin that the authorization is sent to. Set with `auth`. */
  readonly origin?: string | undefined
}

interface AuthDescription {
  /** Alternatives, each with the schemes that it requires. */
  readonly alternatives: readonly (readonly SchemeState[])[]
  /** The index of the alternative that a request uses. Undefined if none has all its values. */
  readonly used: number | undefined
}

/** Describes the alternatives of an operation. Empty if it requires no authentication. */
export function describeAuth({ document, operation, environment, isSet }: DescribedRequest): AuthDescription {
  const base = findBase(environment, document, operation)
  const authOf = base && createAuthFinder(environment, base)
  const finder: Finder = { environment, isSet, authOf }
  const alternatives = securityOf(operation)
  const used = alternatives.findIndex((schemes) => satisfy(schemes, finder) !== undefined)
  return {
    alternatives: alternatives.map((schemes) =>
      schemes.map((scheme) => describeScheme(scheme, finder, base)),
    ),
    used: used === -1 ? undefined : used,
  }
}

function describeScheme(scheme: SecurityScheme, finder: Finder, base: RequestBase | undefined): SchemeState {
  const target = credentialPlace(scheme)
  const found = satisfy([scheme], finder)
  const isOwn = target !== undefined && finder.isSet(target.location, target.name)
  return {
    scheme,
    state: target === undefined ? "unsupported" : isOwn ? "request" : found === undefined ? "missing" : "set",
    given: suffixes.flatMap((suffix) => {
      const variable = variableOf(scheme.name + suffix, finder.environment)
      return String(variable?.value ?? "") === "" || variable === undefined ? [] : [variable]
    }),
    auth: found?.auth,
    origin: base && new URL(base.path).origin,
  }
}

/** What follows the scheme's name in the names of its variables. */
const suffixes = [
  "",
  "_clientId",
  "_clientSecret",
  "_username",
  "_password",
  "_refreshToken",
  "_privateKey",
  "_grant",
  "_tokenUrl",
  "_accessKeyId",
  "_secretAccessKey",
  "_sessionToken",
  "_region",
  "_service",
]
