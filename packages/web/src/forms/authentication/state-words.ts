// Says whether a credential is set, and by what. Pure.

import { ownOf } from "@callsheet/format"
import type { EnvironmentsView, SchemeView } from "@callsheet/server/calls"
import { timeOrDay } from "../../ui/formats.ts"
import { isSamePlace, type OwnCredential } from "./own-credentials.ts"

export interface CredentialWords {
  readonly environment: string | undefined
  /** The credentials that the request sets itself. */
  readonly own: readonly OwnCredential[]
  /** Those of the saved request that a block uses. */
  readonly saved: readonly OwnCredential[]
  readonly view: EnvironmentsView | undefined
}

export interface StateWords {
  readonly words: string
  readonly tone: "set" | "missing" | "unknown"
}

export function schemeState(scheme: SchemeView | undefined, context: CredentialWords): StateWords {
  const { environment } = context
  if (environment === undefined) return { words: "choose an environment", tone: "unknown" }
  if (scheme === undefined) return { words: "…", tone: "unknown" }
  switch (scheme.state) {
    case "unsupported":
      return { words: "not supported: set its parameter yourself", tone: "unknown" }
    case "request":
      return requestState(scheme, context)
    case "missing":
      return { words: `missing in ${environment}`, tone: "missing" }
    case "set":
      return setState(scheme, environment)
  }
}

function requestState({ place }: SchemeView, context: CredentialWords): StateWords {
  const isOfIt = (one: OwnCredential): boolean => place !== undefined && isSamePlace(one.place, place)
  const own = context.own.find(isOfIt)
  if (own !== undefined) return credentialState(own, context)
  const saved = context.saved.find(isOfIt)
  return saved === undefined ? { words: "set in this request", tone: "set" } : credentialState(saved, context)
}

function setState({ grant, login, given, variable }: SchemeView, environment: string): StateWords {
  if (grant === "authorization_code" && login?.isLoggedIn === false)
    return { words: "not logged in", tone: "missing" }
  if (login?.isLoggedIn === true)
    return {
      words: login.until === undefined ? "logged in" : `logged in until ${timeOrDay(login.until)}`,
      tone: "set",
    }
  const by = grant === undefined ? "" : `, ${grant.replaceAll("_", " ")}`
  const main = given.find(({ name }) => name === variable) ?? given[0]
  if (main?.from === "process") return { words: `set by the process${by}`, tone: "set" }
  if (main?.from === "default") return { words: `set by its default${by}`, tone: "set" }
  return {
    words:
      main?.environment === undefined || main.environment === environment
        ? `set in ${environment}${by}`
        : `inherited from ${main.environment}${by}`,
    tone: "set",
  }
}

/** The state of a parameter with a credential. */
export function credentialState(
  credential: OwnCredential,
  { environment, saved, view }: CredentialWords,
): StateWords {
  const { variable } = credential
  const where = saved.includes(credential) ? "set in the saved request" : "set in this request"
  if (variable === undefined) return { words: where, tone: "set" }
  const cell = environment === undefined ? undefined : ownOf(ownOf(view?.cells, environment), variable)
  if (cell?.from === "none" || cell?.isNothing === true)
    return { words: `{{${variable}}} is missing in ${environment ?? ""}`, tone: "missing" }
  const from = cell?.from === "inherited" ? `, inherited from ${cell.environment ?? ""}` : ""
  return { words: `${where} by {{${variable}}}${from}`, tone: "set" }
}
