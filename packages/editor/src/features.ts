// The list of features.

import { codeActions } from "./actions/code-actions.ts"
import { executeCommand } from "./commands/execute.ts"
import { completion } from "./completion/completion.ts"
import type { Feature } from "./context.ts"
import { hover } from "./hover/hover.ts"
import { codeLenses } from "./lenses/code-lenses.ts"
import { navigation } from "./navigation/index.ts"

export const features: readonly Feature[] = [
  completion,
  hover,
  navigation,
  codeActions,
  codeLenses,
  executeCommand,
]
