// Real chance, from the operating system's generator.

import { randomInt, randomUUID } from "node:crypto"
import type { Random } from "../ports.ts"

/** `integer` takes bounds up to 2^48 - 1. */
export const systemRandom: Random = {
  integer: (bound) => randomInt(bound),
  uuid: () => randomUUID(),
}
