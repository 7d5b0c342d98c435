// The list of features.

import { completion } from "./completion/completion.ts"
import type { Feature } from "./context.ts"

export const features: readonly Feature[] = [completion]
