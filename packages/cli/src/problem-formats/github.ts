// Formats problems as workflow commands of GitHub Actions, which GitHub shows at their lines.

import { annotation, hiddenNotice, problemAnnotation } from "../text/workflow-command.ts"
import { createRepositoryPath } from "./repository-path.ts"
import { summarize, type FormatProblems } from "./text.ts"

export const formatGithub: FormatProblems = function* ({ problems, counts }, context) {
  const pathOf = createRepositoryPath(context)
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = problems.filter(({ severity }) => severity === "warning")
  for (const problem of [...errors, ...warnings]) yield annotation(problemAnnotation(problem, pathOf))
  yield hiddenNotice("callsheet validate", { errors: errors.length, warnings: warnings.length })
  yield `${summarize(counts)}\n`
}
