// What a request says that needs a token, before and after the endpoints of its client are known.

import type { AuthSender, KnownClient, OAuthAuth, Ports, WireRequest } from "../../ports.ts"

export type AuthWorld = Pick<Ports, "http" | "clock" | "random">

/** A request that needs a token. */
export interface TokenNeed {
  readonly auth: OAuthAuth
  readonly request: Pick<WireRequest, "api" | "timeoutMs">
  readonly by: Pick<AuthSender, "keepSecret" | "openSpan">
}

/** The authorization of a client whose endpoints are known. */
export interface ReadyAuth extends Omit<OAuthAuth, "client"> {
  readonly client: KnownClient
}

export interface ReadyNeed extends TokenNeed {
  readonly auth: ReadyAuth
}
