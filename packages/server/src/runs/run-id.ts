// How runs are named: by when they start, so that the names of a history sort as its runs do.

import { randomBytes } from "node:crypto"

const pattern = /^\d{8}T\d{9}Z-[0-9a-f]{16}$/

export const isRunId = (text: string): boolean => pattern.test(text)

/** A name that no other run has; `now` is in milliseconds since 1970. */
export const createRunId = (now: number): string =>
  `${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-${randomBytes(8).toString("hex")}`
