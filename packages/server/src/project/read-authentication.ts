// Describes for the page how a request would authenticate. Reads the environment's files, but shows no value.

import { describeAuth, loginState, monotonicMs, type Logins, type OAuthAuth } from "@callsheet/engine"
import { formatMessages, isSameParameter, resolveEnvironment, type ResolvedVariable } from "@callsheet/format"
import type { AuthenticationView, GivenVariable, Input, LoginView, SchemeView } from "../calls/index.ts"
import { CallRefused } from "../handlers.ts"
import { findNamed, securityView } from "./read-documents.ts"
import type { KnownProject } from "./read-parts.ts"

interface Options extends AuthenticatedProject {
  readonly logins: Logins
}

export interface AuthenticatedProject {
  readonly known: KnownProject
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

type Named = Omit<Input<"operations.authentication">, "parameters">

/** Finds an operation, and its environment. References in it aren't resolved. Throws like `readAuthentication`. */
export async function findAuthenticated(
  { environment: name, ...named }: Named,
  { known, processEnvironment }: AuthenticatedProject,
) {
  const found = await findNamed(named, known)
  const files = (await known.overview()).project.apis.get(named.api)?.environments
  if (files?.environments.has(name) !== true)
    throw new CallRefused(
      404,
      formatMessages["env-missing"].unknown(named.api, name, [...(files?.environments.keys() ?? [])]),
    )
  return { ...found, environment: resolveEnvironment({ files, name, processEnvironment }).environment }
}

/** Throws like `operations.read`, and `env-missing` if the environment doesn't exist. */
export async function readAuthentication(
  { parameters, ...named }: Input<"operations.authentication">,
  { logins, ...project }: Options,
): Promise<AuthenticationView> {
  const { operation, document, masker, environment } = await findAuthenticated(named, project)
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
          ? { grant: state.auth.client.grant, login: loginView(state.auth, state.origin, logins) }
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

function loginView({ key }: OAuthAuth, origin: string | undefined, logins: Logins): LoginView {
  const origins = origin === undefined ? [] : [origin]
  const { isLoggedIn, leftMs } = loginState(logins, { key, origins }, monotonicMs())
  return { isLoggedIn, until: leftMs === undefined ? undefined : new Date(Date.now() + leftMs).toISOString() }
}
