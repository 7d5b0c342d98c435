// One-time confirmations: made by the server, for one question about one order and one state of the files.

import { createHash, randomBytes } from "node:crypto"

export interface Confirmations {
  /** A confirmation for what `subject` says: a text of everything that it is bound to. */
  readonly issue: (subject: string) => string
  /** Whether it was issued for this very subject, and is not too old. Whatever the answer, it works no more. */
  readonly take: (confirmation: string, subject: string) => boolean
}

/** Questions that nobody has answered; the oldest go. */
const MAX_OPEN = 100

/** `now` gives milliseconds that never go back; `validMs` is how long a person may take to answer. */
export function createConfirmations(now: () => number, validMs: number): Confirmations {
  // By their hashes: what a look-up takes longer for says nothing of a confirmation.
  const open = new Map<string, { readonly subject: string; readonly until: number }>()
  return {
    issue: (subject) => {
      const confirmation = randomBytes(32).toString("base64url")
      open.set(hash(confirmation), { subject: hash(subject), until: now() + validMs })
      for (const oldest of open.keys()) {
        if (open.size <= MAX_OPEN) break
        open.delete(oldest)
      }
      return confirmation
    },
    take: (confirmation, subject) => {
      const key = hash(confirmation)
      const issued = open.get(key)
      open.delete(key)
      return issued !== undefined && now() < issued.until && issued.subject === hash(subject)
    },
  }
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")
