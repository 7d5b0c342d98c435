// What the format says by itself, in files, reports and messages: a secret that happens to be such a word is not told by it.

import { blockKinds, operators } from "@callsheet/format"

/** By the key whose value they are. */
const words: Readonly<Record<string, readonly string[]>> = {
  version: ["1"],
  type: ["string", "number", "boolean", ...blockKinds],
  level: ["production", "staging", "local"],
  onFailure: ["halt", "continue"],
  mode: ["times", "forEach", "until"],
  execution: ["sequential", "parallel"],
  operator: Object.keys(operators),
  bodyType: ["json", "form", "multipart", "text", "file"],
  method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"],
}

/** What a report says beside. */
const reportWords = ["passed", "failed", "skipped", "error", "warning", "branch", "halted", "cancelled"]

const all: ReadonlySet<string> = new Set([...Object.values(words).flat(), ...reportWords])

/** Whether a key of the format may have this value. */
export const isWordOf = (key: string, value: string): boolean =>
  Object.hasOwn(words, key) && words[key]?.includes(value) === true

/** Whether the format has such a word anywhere. */
export const isFormatWord = (text: string): boolean => all.has(text)
