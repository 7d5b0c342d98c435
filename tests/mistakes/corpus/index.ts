// All rows, and those that CI tries.

import { sized } from "../../harness/full-size.ts"
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

const kindIn = ({ project, kind }: Mistake): string => `${project}: ${kind}`
const kinds = mistakes.map(kindIn)

/** One mistake of each kind in each project. All of them with `FULL_SIZE`. */
export const triedMistakes: readonly Mistake[] = mistakes.filter(
  (mistake, index) => sized(0, 1) === 1 || kinds.indexOf(kindIn(mistake)) === index,
)
