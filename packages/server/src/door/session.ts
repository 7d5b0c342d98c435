// The secrets of one start of the server: cookie, key, the owner's secret, and links that work once.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** How long a link waits to be opened, in milliseconds. */
const LINK_LIFETIME_MS = 5 * 60_000
/** Links that wait at the same time; of more the oldest stop working. */
const MAX_LINKS = 16

/** Who may open a link. */
export type LinkUse =
  /** Whoever has it, except other users of this machine where the system can tell: it was shown to its user only. */
  | "anyone"
  /** A process of the same user: it was handed to a browser, on a command line that others can read. */
  | "own-user"

export interface Session {
  readonly cookie: string
  readonly key: string
  /** What the port file holds. */
  readonly owner: string
  readonly isCookie: (value: string) => boolean
  readonly isKey: (value: string) => boolean
  readonly isOwner: (value: string) => boolean
  /** The secret of a new link. */
  readonly makeLink: (use: LinkUse) => string
  /** Takes a link, which then works no more; who may open it, or undefined where there is no such link or it is too old. */
  readonly takeLink: (secret: string) => LinkUse | undefined
}

interface WaitingLink {
  readonly digest: Buffer
  readonly use: LinkUse
  readonly madeAt: number
}

/** Makes the secrets, 256 bits of chance each. `now` gives milliseconds that never go back. */
export function createSession(now: () => number): Session {
  const [cookie, key, owner] = [secret(), secret(), secret()]
  let links: readonly WaitingLink[] = []
  return {
    cookie,
    key,
    owner,
    isCookie: equals(cookie),
    isKey: equals(key),
    isOwner: equals(owner),
    makeLink: (use) => {
      const made = secret()
      links = [...links.slice(1 - MAX_LINKS), { digest: digestOf(made), use, madeAt: now() }]
      return made
    },
    takeLink: (given) => {
      const digest = digestOf(given)
      const waiting = links.filter(({ madeAt }) => now() - madeAt < LINK_LIFETIME_MS)
      const taken = waiting.filter((link) => timingSafeEqual(link.digest, digest))
      links = waiting.filter((link) => !taken.includes(link))
      return taken[0]?.use
    },
  }
}

const secret = (): string => randomBytes(32).toString("base64url")
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compares digests: the time that it takes tells nothing of how much of a guess was right. */
function equals(secretText: string): (value: string) => boolean {
  const digest = digestOf(secretText)
  return (value) => timingSafeEqual(digest, digestOf(value))
}
