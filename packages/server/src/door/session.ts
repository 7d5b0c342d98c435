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

export type Session = ReturnType<typeof createSession>

interface WaitingLink {
  readonly digest: Buffer
  readonly use: LinkUse
  readonly madeAt: number
}

/** Makes the secrets, 256 bits of chance each. `now` gives milliseconds that never go back. */
export function createSession(now: () => number) {
  const [cookie, key, owner] = [secret(), secret(), secret()]
  let links: readonly WaitingLink[] = []
  return {
    cookie,
    key,
    /** What the port file holds. */
    owner,
    isCookie: equals(cookie),
    isKey: equals(key),
    isOwner: equals(owner),
    /** Returns the secret of a new link. */
    makeLink: (use: LinkUse): string => {
      const made = secret()
      links = [...links.slice(1 - MAX_LINKS), { digest: digestOf(made), use, madeAt: now() }]
      return made
    },
    /** Takes a link, which then works no more. Returns who may open it, or undefined if it doesn't exist or is too old. */
    takeLink: (given: string): LinkUse | undefined => {
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
