// All rows.

import type { Mistake } from "../mistake.ts"
import { documentMistakes } from "./documents.ts"
import { environmentMistakes } from "./environments.ts"
import { fieldMistakes } from "./fields.ts"
import { nameMistakes } from "./names.ts"
import { pathMistakes } from "./paths.ts"
import { referenceMistakes } from "./references.ts"
import { requestMistakes } from "./requests.ts"
import { textMistakes } from "./text.ts"
import { typeMistakes } from "./types.ts"

export const mistakes: readonly Mistake[] = [
  ...textMistakes,
  ...fieldMistakes,
  ...nameMistakes,
  ...referenceMistakes,
  ...pathMistakes,
  ...typeMistakes,
  ...requestMistakes,
  ...environmentMistakes,
  ...documentMistakes,
]
