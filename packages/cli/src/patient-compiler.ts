// How eagerly the engine of JavaScript optimises, for commands that look at many files once and end.

import { setFlagsFromString } from "node:v8"

/** Eight times V8's own: what a function must have cost before it is optimised. */
const BUDGET = 8 * 67_584

/**
 * Lets functions run longer before they are optimised. The V8 of Node 20 optimises so early that a large `validate` spends
 * half of its time on compiling; later ones do not, and have no such flag.
 */
export function optimiseLater(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString(`--interrupt-budget=${BUDGET}`)
}
