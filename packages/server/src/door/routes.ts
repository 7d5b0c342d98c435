// The routes of the server, except for assets. Paths must match exactly.

import { callNames, callPath, type CallName } from "../calls/index.ts"

/** The credential that a request needs besides a valid Host and Origin. */
export type Need =
  /** A link in the body. The handler checks it. */
  | "link"
  /** The cookie and the key of the session. */
  | "session"
  /**
   * Like `session`, but refuses other users of this machine. This check takes 10 ms, which is too long for every call.
   */
  | "own-session"
  /** The secret in the port file. This user's programs can read it, but pages can't. */
  | "owner"

export type Route =
  | { readonly kind: "open-session"; readonly needs: "link" }
  | { readonly kind: "resume-session"; readonly needs: "own-session" }
  | { readonly kind: "make-link"; readonly needs: "owner" }
  | { readonly kind: "events"; readonly needs: "own-session" }
  | { readonly kind: "call"; readonly needs: "session"; readonly name: CallName }

/** All routes use POST. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/session", { kind: "open-session", needs: "link" }],
  ["/session/resume", { kind: "resume-session", needs: "own-session" }],
  ["/link", { kind: "make-link", needs: "owner" }],
  ["/events", { kind: "events", needs: "own-session" }],
  ...callNames.map((name): [string, Route] => [callPath(name), { kind: "call", needs: "session", name }]),
])
