// Random values from the operating system's generator.

import type { Random } from "../ports.ts"

// Loading it takes several milliseconds, and most runs generate nothing.
const crypto = () => process.getBuiltinModule("node:crypto")

/** `integer` takes bounds up to 2^48 - 1. */
export const systemRandom: Random = {
  integer: (bound) => crypto().randomInt(bound),
  uuid: () => crypto().randomUUID(),
}
