// Problems as the page may see them: a message may repeat what stands in a file.

import type { Masker } from "@callsheet/engine"
import type { Problem } from "@callsheet/format"

/** Where they are stays as it is: the names of files are no values. */
export const maskProblems = (problems: readonly Problem[], masker: Masker | undefined): readonly Problem[] =>
  masker === undefined
    ? problems
    : problems.map((problem) => ({
        ...problem,
        message: masker.text(problem.message),
        ...(problem.hint === undefined ? {} : { hint: masker.text(problem.hint) }),
      }))
