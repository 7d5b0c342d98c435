// Lets the user log in before a session sends anything.

import { hasResponse, isSameParameter, toProblem, walkBlocks, type Problem } from "@callsheet/format"
import { findTarget } from "@callsheet/language"
import type { Bugs } from "../session/bugs.ts"
import { messages } from "../messages.ts"
import type { Outlet } from "../outlet/outlet.ts"
import type { Plan } from "../plan/plan.ts"
import type { AuthPort, OAuthAuth } from "../ports.ts"
import type { PlannedEntry } from "../plan/plan-entries.ts"
import { findCredentials } from "../request/credentials.ts"
import { createRequestTemplate } from "../request/request-template.ts"
import type { SessionOptions } from "../session/session-options.ts"
import { createAuthFinder, findBase } from "./find-auth.ts"

interface LoggingIn {
  readonly auth: AuthPort
  readonly options: SessionOptions
  readonly keepSecret: Outlet["keepSecret"]
  readonly secrets: Outlet["secrets"]
  readonly bugs: Bugs
}

/** Lets the user log in for each client once. Returns the reasons why entries can't start. */
export async function logIn(
  entries: Iterable<PlannedEntry>,
  { auth, options, keepSecret, secrets, bugs }: LoggingIn,
): Promise<ReadonlyMap<PlannedEntry, Problem>> {
  const { login, signal, timeoutMs } = options
  const refusals = new Map<PlannedEntry, Problem>()
  const by = {
    signal,
    timeoutMs,
    keepSecret: (value: string, name: string) => void keepSecret(value, name),
    onBug: (error: unknown) => void bugs.note(error),
    isSecret: (text: string) => secrets.occursIn(text),
  }
  for (const { client, origins, items } of findLogins(entries)) {
    const refusal =
      login === undefined
        ? messages["login-required"].notAsked(client.name)
        : await auth.logIn(client, { ...by, origins, onUrl: login }).catch(bugs.note)
    if (refusal !== undefined) for (const item of items) refusals.set(item, toProblem(refusal))
  }
  return refusals
}

interface Login {
  readonly client: OAuthAuth
  readonly origins: Set<string>
  readonly items: Set<PlannedEntry>
}

/** Returns the logins that the plans need. Ignores requests whose names contain placeholders. */
function findLogins(entries: Iterable<PlannedEntry>): readonly Login[] {
  const logins = new Map<string, Login>()
  for (const item of entries) {
    for (const [client, origin] of item.plan === undefined ? [] : clientsIn(item.plan)) {
      const login = logins.get(client.key) ?? { client, origins: new Set(), items: new Set() }
      logins.set(client.key, login)
      login.origins.add(origin)
      login.items.add(item)
    }
  }
  return [...logins.values()]
}

/** Returns the clients of a plan that need a login, each with an origin that it sends requests to. */
function* clientsIn(plan: Plan): Iterable<readonly [OAuthAuth, origin: string]> {
  for (const { block } of walkBlocks(plan.workflow.blocks)) {
    if (!hasResponse(block)) continue
    const api = plan.apis.get(block.request.api)
    const environment = plan.environments.get(block.request.api)
    if (api === undefined || environment === undefined) continue
    const target = findTarget(api, block.request)
    if (!target.found) continue
    const template = createRequestTemplate(block, api, target.target)
    const base = findBase(environment, api.document, target.target.operation)
    if (!template.usesAuth || base === undefined) continue
    const { auth } = findCredentials(template.security, {
      environment,
      authOf: createAuthFinder(environment, base),
      isSet: (location, name) =>
        template.texts[location].some((given) => isSameParameter(location, given.name, name)),
    })
    if (auth?.kind === "oauth2" && auth.client.grant === "authorization_code")
      yield [auth, new URL(base.path).origin]
  }
}
