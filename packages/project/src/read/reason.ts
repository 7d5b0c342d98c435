// Describes the errors of `node:fs`.

import { systemReason } from "@callsheet/format"

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** Returns the reason of a `node:fs` error. Omits its message, which contains absolute paths. */
export const reasonOf = (error: unknown): string => systemReason(errorCode(error))
