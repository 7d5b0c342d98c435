// The secrets of a server: the session's cookie and key, the owner's secret, and single-use links.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const LINK_LIFETIME_MS = 5 * 60_000
/** The maximum number of unused links. Above it, the oldest links stop working. */
const MAX_LINKS = 16

export type LinkUse =
  /**
   * Only its user has seen the link, so whoever has it may open it, unless it is known to be another user of this
   * machine.
   */
  | "anyone"
  /** The link was on a command line, which others can read. Only a process of the same user may open it. */
  | "own-user"

export type Session = ReturnType<typeof createSession>

interface WaitingLink {
  readonly digest: Buffer
  readonly use: LinkUse
  readonly madeAt: number
}

/** Creates the secrets. Each has 256 random bits. `now` returns monotonic milliseconds. */
export function createSession(now: () => number) {
  const [cookie, key, owner] = [secret(), secret(), secret()]
  let links: readonly WaitingLink[] = []
  return {
    cookie,
    key,
    owner,
    isCookie: equals(cookie),
    isKey: equals(key),
    isOwner: equals(owner),
    makeLink: (use: LinkUse): string => {
      const made = secret()
      links = [...links.slice(1 - MAX_LINKS), { digest: digestOf(made), use, madeAt: now() }]
      return made
    },
    /** Uses up a link. Returns who may open it. Undefined if it doesn't exist or has expired. */
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

/** Compares digests, so that timing doesn't reveal how close a guess is. */
function equals(secretText: string): (value: string) => boolean {
  const digest = digestOf(secretText)
  return (value) => timingSafeEqual(digest, digestOf(value))
}
