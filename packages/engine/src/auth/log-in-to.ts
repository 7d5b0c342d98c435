// Lets the user log in to one scheme of an operation, without a run.

import {
  hasErrors,
  hasReferences,
  secretValues,
  type Finding,
  type ResolvedEnvironment,
} from "@callsheet/format"
import { schemeVariable, securityOf } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { Masker } from "../outlet/mask.ts"
import type { LoginSender, Ports } from "../ports.ts"
import type { DescribedRequest } from "./describe-auth.ts"
import { createAuthFinder, findBase } from "./find-auth.ts"

interface WantedLogin extends Omit<DescribedRequest, "isSet"> {
  /** The name of the scheme. */
  readonly scheme: string
}

interface LoggingIn extends Pick<LoginSender, "onUrl" | "onBug" | "signal"> {
  readonly ports: Pick<Ports, "auth" | "user">
}

/** Resolves to undefined after the login, or to why it failed, without a secret. Only these ports' logins keep the token. */
export async function logInTo(
  wanted: WantedLogin,
  { ports, ...by }: LoggingIn,
): Promise<Finding | undefined> {
  // A static import would move the masker into a chunk that `validate` loads.
  const { createMasker } = await import("../outlet/mask.ts")
  const masker = createMasker([])
  const found = await logIn(wanted, masker, { ports, ...by })
  if (found === undefined) return undefined
  const { code, message, hint } = found
  return { code, message: masker.text(message), hint: hint === undefined ? undefined : masker.text(hint) }
}

async function logIn(
  { document, operation, scheme: name, ...wanted }: WantedLogin,
  masker: Masker,
  { ports, ...by }: LoggingIn,
): Promise<Finding | undefined> {
  const environment = await resolved(wanted.environment, name, { ports, masker, signal: by.signal })
  if ("code" in environment) return environment
  for (const { value } of secretValues(environment)) masker.learn(value)
  const scheme = securityOf(operation)
    .flat()
    .find((one) => one.name === name)
  const base = findBase(environment, document, operation)
  const auth = scheme && base && createAuthFinder(environment, base)(scheme)
  if (auth?.kind !== "oauth2" || ports.auth === undefined) return messages["login-required"].noClient(name)
  return ports.auth.logIn(auth, {
    ...by,
    origins: new Set(base === undefined ? [] : [new URL(base.path).origin]),
    timeoutMs: undefined,
    keepSecret: (value) => masker.learn(value),
    isSecret: masker.occursIn,
  })
}

/** Resolves only the references that the login needs, because each may start a program that asks the user. */
async function resolved(
  environment: ResolvedEnvironment,
  scheme: string,
  { ports: { user }, masker, signal }: Pick<LoggingIn, "ports" | "signal"> & { readonly masker: Masker },
): Promise<ResolvedEnvironment | Finding> {
  if (user === undefined) return environment
  const opened = await user.open()
  for (const { value } of opened.secrets) masker.learn(value)
  const [fault] = opened.problems
  if (fault !== undefined) return fault
  const start = `${schemeVariable(scheme)}_`
  const own = [...environment.variables].filter(([name]) => name === "baseUrl" || name.startsWith(start))
  const needed = { ...environment, variables: new Map(own) }
  if (!hasReferences(needed)) return environment
  const { resolveEnvironments } = await import("../plan/resolve-references.ts")
  const answer = (await resolveEnvironments([needed], { user, known: new Map(), signal })).get(needed)
  const problem = answer?.problems.find((one) => hasErrors([one]))
  if (problem !== undefined) return problem
  return {
    ...environment,
    variables: new Map([...environment.variables, ...(answer?.environment.variables ?? [])]),
  }
}
