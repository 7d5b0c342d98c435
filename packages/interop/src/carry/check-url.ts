// Decides whether a URL of a source leads to a server. A text that isn't a URL must not become an API.

import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { Loss, Request, Url } from "../model.ts"
import { splitBase } from "../read/url.ts"
import { hasVariables, mapText, variablesIn, variableText, type Text } from "../text.ts"
import type { Scope } from "./scope.ts"

/** Returns the reason why a URL can't be sent to. A variable without a value may become anything. */
export function urlRefusal({ base, path }: Url, scope: Scope): Reason | undefined {
  if (base === "") return path.length === 0 ? reasons.noUrl() : undefined
  const values = hasVariables(base) ? valuesOf(base, scope).map(({ value }) => value) : [base]
  const isOther = values.every((value) => /^(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:\/\//i.test(value ?? ""))
  if (isOther) return reasons.scheme()
  return isServer(base) ? undefined : reasons.notUrl()
}

interface CheckedBases {
  readonly requests: readonly Request[]
  readonly losses: readonly Loss[]
}

/**
 * Removes the requests whose base URL is a variable with a value that isn't a URL. If that leaves none, such as in a
 * collection to fill in, all stay.
 */
export function checkBases(requests: readonly Request[], scope: Scope): CheckedBases {
  const all = new Set(requests.map(({ url }) => url.base))
  const invalid = new Map([...all].map((base) => [base, environmentsWithout(base, scope)] as const))
  const isValid = ({ url }: Request): boolean =>
    (invalid.get(url.base)?.length ?? 0) < scope.environments.length
  const valid = requests.filter(isValid)
  const kept = valid.length === 0 ? requests : valid
  const removed = valid.length === 0 ? [] : requests.filter((one) => !isValid(one))
  const firstOfBase = new Map(kept.toReversed().map((request) => [request.url.base, request]))
  return {
    requests: kept,
    losses: [
      ...removed.map((request) => lossOf(request, "request")),
      ...[...firstOfBase].flatMap(([base, request]) =>
        (invalid.get(base) ?? []).map((name) => lossOf(request, `base URL in the environment ${name}`)),
      ),
    ],
  }
}

const lossOf = ({ where, url }: Request, what: string): Loss => ({
  where,
  what,
  reason: reasons.notUrlOf(variablesIn(url.base).join(", ")),
})

/** Returns the environments in which the value of a base URL isn't a URL. */
const environmentsWithout = (base: Text, scope: Scope): readonly string[] =>
  hasVariables(base)
    ? valuesOf(base, scope).flatMap(({ name, value }) =>
        value === undefined || isServer(value) ? [] : [name],
      )
    : []

/** Returns the values of a base URL by environment. Undefined if a variable has no value, or an empty one. */
const valuesOf = (base: Text, scope: Scope) =>
  scope.environments.map((environment) => {
    const values = variablesIn(base).map((one) => scope.resolve(variableText(one), environment) ?? "")
    return {
      name: environment.name,
      value: values.includes("") ? undefined : scope.resolve(base, environment),
    }
  })

/** Returns whether a text can be the server of a URL. It may start with one, so that a variable may have a path. */
function isServer(base: Text): boolean {
  const { host } = splitBase(base)
  const [server = ""] = host.split(/[/?#]/)
  const [, name = server, port] = /^(.*?):([^:\]]*)$/s.exec(server) ?? []
  // A variable may be any part of a name or a port.
  const filledName = mapText(name, literal, () => "a")
  const filledPort = mapText(port ?? "", literal, () => "1")
  const isName =
    !/[\s{}<>\\^`|"'%,;()$&*+=!]/.test(filledName) && !/^https?$/i.test(filledName + (port ?? "x"))
  return isName && /^\d*$/.test(filledPort) && URL.canParse(`http://${filledName}:${filledPort}`)
}

const literal = (part: string): string => part
