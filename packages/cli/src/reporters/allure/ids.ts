// Ids that are the same whenever the same events are reported.

import { createHash } from "node:crypto"

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32)

/** Returns a UUID of version 8, which is for hashes like this one (RFC 9562 section 5.8). */
export const uuidOf = (text: string): string =>
  hashOf(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
