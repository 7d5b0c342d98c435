// The list of features.

import { completion } from "./completion/completion.ts"
import type { Feature } from "./context.ts"
import { hover } from "./hover/hover.ts"
import { navigation } from "./navigation/index.ts"

export const features: readonly Feature[] = [completion, hover, navigation]
