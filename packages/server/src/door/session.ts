// The secrets of one server start: cookie, key, owner's secret, and single-use links.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const LINK_LIFETIME_MS = 5 * 60_000
/** The maximum number of unused links. Beyond it, the oldest stop working. */
const MAX_LINKS = 16

export type LinkUse =
  /** The link was shown only to its user, so anyone who has it may open it, except a known other user of this machine. */
  | "anyone"
  /** The link was on a command line, which others can read, so only a process of the same user may open it. */
  | "own-user"

export type Session = ReturnType<typeof createSession>

interface WaitingLink {
  readonly digest: Buffer
  readonly use: LinkUse
  readonly madeAt: number
}

/** Creates the secrets, with 256 random bits each. `now` returns monotonic milliseconds. */
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
    /** Consumes a link. Returns who may open it, or undefined if it doesn't exist or has expired. */
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

/** Compares digests, so that timing doesn't reveal how much of a guess is correct. */
function equals(secretText: string): (value: string) => boolean {
  const digest = digestOf(secretText)
  return (value) => timingSafeEqual(digest, digestOf(value))
}
