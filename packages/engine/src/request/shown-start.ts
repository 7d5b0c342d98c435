// Shows the first bytes of a body that can't be decoded.

import { attempt, quote } from "@callsheet/format"
import type { Masker } from "../outlet/mask.ts"

const MAX_CHARACTERS = 40
const MAX_BYTES = 8

/** Returns the start of a text in quotes, or bytes in hexadecimal: `1f 8b 08`. Shows no part of a secret. */
export function shownStart(bytes: Uint8Array, secrets: Masker): string {
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }))
  if (text !== undefined && !/[\u0000-\u0008\u000e-\u001f]/.test(text)) {
    // Masks all of the text first, because a part of a secret can't be recognized.
    const masked = secrets.text(text)
    return quote(masked.length > MAX_CHARACTERS ? `${masked.slice(0, MAX_CHARACTERS)}…` : masked)
  }
  const start = String.fromCharCode(...bytes.subarray(0, MAX_BYTES + 3))
  // Readable characters could be a part of a secret.
  const readable = start.search(/[ -~]{4}/)
  const shown = bytes.subarray(0, Math.min(readable === -1 ? MAX_BYTES : readable, MAX_BYTES))
  return `the bytes ${[...shown].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`
}
