// Every way into the server but its assets. A path that is not in this table, to the letter, is no path.

import { callNames, callPath, type CallName } from "../calls/index.ts"

/** What a request must bring along to be let in, beside a good Host and Origin. */
export type Need =
  /** A link in its body, which the handler of the route looks at. */
  | "link"
  /** The session's cookie and its key. */
  | "session"
  /**
   * The same, over a connection that no other user of this machine has opened. The system's answer takes 10 ms for each
   * connection, too long for every call.
   */
  | "own-session"
  /** The secret of the port file, which this user's programs can read and no page can. */
  | "owner"

export type Route =
  | { readonly kind: "open-session"; readonly needs: "link" }
  | { readonly kind: "resume-session"; readonly needs: "own-session" }
  | { readonly kind: "make-link"; readonly needs: "owner" }
  | { readonly kind: "events"; readonly needs: "own-session" }
  | { readonly kind: "call"; readonly needs: "session"; readonly name: CallName }

/** By path; all of them are called with POST. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/session", { kind: "open-session", needs: "link" }],
  ["/session/resume", { kind: "resume-session", needs: "own-session" }],
  ["/link", { kind: "make-link", needs: "owner" }],
  ["/events", { kind: "events", needs: "own-session" }],
  ...callNames.map((name): [string, Route] => [callPath(name), { kind: "call", needs: "session", name }]),
])
