// What was said before it was known to be secret, and has been held back since: masked before it is shown.

import type { Headers, JsonValue } from "@callsheet/format"
import { createMasker, type Masker, type SecretValue } from "./mask.ts"
import { viewHeaders } from "./view.ts"

/** Made by whoever holds events or a report back, and told by the session what it captures. */
export interface HeldMask {
  readonly learn: (secret: SecretValue) => void
  /** Masks, in place, what comes from outside in events, a report or a part of one. Does nothing where nothing was captured. */
  readonly apply: (held: object) => void
  /** Masks a text that was made of events. */
  readonly text: (text: string) => string
}

export function createHeldMask(): HeldMask {
  let mask: Masker | undefined
  return {
    learn: (secret) => {
      mask ??= createMasker([])
      mask.learn(secret)
    },
    apply: (held) => {
      if (mask !== undefined) applyTo(held, mask)
    },
    text: (text) => (mask === undefined ? text : mask.text(text)),
  }
}

/** Texts from outside; all other texts are the report's own words. */
const texts = new Set([
  "id",
  "description",
  "source",
  "message",
  "hint",
  "text",
  "path",
  "schema",
  "contentType",
  "block",
])
/** Whole values from outside. */
const values = new Set(["inputs", "body", "outputs", "value", "expected", "actual"])

// Iterative: blocks nest without bound.
function applyTo(root: object, mask: Masker): void {
  const work: Record<string, unknown>[] = [root as Record<string, unknown>]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    for (const [key, value] of Object.entries(part)) {
      if (values.has(key)) part[key] = mask.value(value as JsonValue)
      else if (key === "headers") part[key] = viewHeaders(value as Headers, mask)
      else if (typeof value === "string") part[key] = maskText(key, value, mask)
      else if (isTextList(value)) part[key] = value.map(mask.text)
      else if (typeof value === "object" && value !== null) work.push(value as Record<string, unknown>)
    }
  }
}

function maskText(key: string, text: string, mask: Masker): string {
  if (key === "url") return mask.url(text)
  return texts.has(key) ? mask.text(text) : text
}

/** Logs, and what a redirect dropped. */
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && typeof value[0] === "string"
