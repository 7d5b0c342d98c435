// The list of features.

import type { Feature } from "./context.ts"

export const features: readonly Feature[] = []
