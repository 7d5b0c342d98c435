// Describes for the page how a request would authenticate. Reads the environment's files, but shows no value.

import { describeAuth, loginState, monotonicMs, type Logins, type OAuthAuth } from "@callsheet/engine"
import { formatMessages, isSameParameter, resolveEnvironment, type ResolvedVariable } from "@callsheet/format"
import type { AuthenticationView, GivenVariable, Input, LoginView, SchemeView } from "../calls/index.ts"
import { CallRefused } from "../handlers.ts"
import { findNamed, securityView } from "./read-documents.ts"
import type { KnownProject } from "./read-parts.ts"

interface Options {
  readonly known: KnownProject
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly logins: Logins
}

/** Throws like `operations.read`, and `env-missing` if the environment doesn't exist. */
export async function readAuthentication(
  { environment: name, parameters, ...named }: Input<"operations.authentication">,
  { known, processEnvironment, logins }: Options,
): Promise<AuthenticationView> {
  const { operation, document, masker } = await findNamed(named, known)
  const files = (await known.overview()).project.apis.get(named.api)?.environments
  if (files?.environments.has(name) !== true)
    throw new CallRefused(
      404,
      formatMessages["env-missing"].unknown(named.api, name, [...(files?.environments.keys() ?? [])]),
    )
  const { environment } = resolveEnvironment({ files, name, processEnvironment })
  const isSet = (location: string, parameter: string): boolean =>
    parameters.some((one) => one.in === location && isSameParameter(location, one.name, parameter))
  const { alternatives, used } = describeAuth({ document, operation, environment, isSet })
  return {
    alternatives: alternatives.map((schemes) =>
      schemes.map((state): SchemeView => ({
        ...securityView(state.scheme, masker.text),
        state: state.state,
        given: state.given.map(givenVariable),
        ...(state.auth?.kind === "oauth2"
          ? { grant: state.auth.client.grant, login: loginView(state.auth, logins) }
          : {}),
      })),
    ),
    used,
  }
}

const givenVariable = ({ name, from, environment }: ResolvedVariable): GivenVariable => ({
  name,
  from: from === "process" || from === "override" ? "process" : from === "default" ? "default" : "file",
  environment,
})

function loginView({ client, key }: OAuthAuth, logins: Logins): LoginView | undefined {
  if (client.grant !== "authorization_code") return undefined
  const { isLoggedIn, leftMs } = loginState(logins, key, monotonicMs())
  return { isLoggedIn, until: leftMs === undefined ? undefined : new Date(Date.now() + leftMs).toISOString() }
}
