// What tells two states of a file apart, so that a page can say which one it has shown.

import { createHash } from "node:crypto"

/** Of a file's text without its byte order mark; `null`, that of no file, for undefined. */
export const fingerprint = (text: string | undefined): string | null =>
  text === undefined ? null : createHash("sha256").update(text).digest("hex")
