// Every route of the server except assets. Paths must match exactly.

import { callNames, callPath, type CallName } from "../calls/index.ts"

/** The credential that a request needs in addition to a valid Host and Origin. */
export type Need =
  /** A link in the request's body, which the route's handler checks. */
  | "link"
  /** The session's cookie and its key. */
  | "session"
  /** Like `session`, but also not from another user of this machine. That check takes 10 ms, too long for every call. */
  | "own-session"
  /** The secret in the port file, which this user's programs can read but pages can't. */
  | "owner"

export type Route =
  | { readonly kind: "open-session"; readonly needs: "link" }
  | { readonly kind: "resume-session"; readonly needs: "own-session" }
  | { readonly kind: "make-link"; readonly needs: "owner" }
  | { readonly kind: "events"; readonly needs: "own-session" }
  | { readonly kind: "call"; readonly needs: "session"; readonly name: CallName }

/** Keyed by path. All routes use POST. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/session", { kind: "open-session", needs: "link" }],
  ["/session/resume", { kind: "resume-session", needs: "own-session" }],
  ["/link", { kind: "make-link", needs: "owner" }],
  ["/events", { kind: "events", needs: "own-session" }],
  ...callNames.map((name): [string, Route] => [callPath(name), { kind: "call", needs: "session", name }]),
])
