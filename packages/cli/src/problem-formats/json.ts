// Problems as one JSON document, a line per problem.

import type { Problem } from "@callsheet/format"
import { breakCommandsInJson } from "../text/log-commands.ts"
import type { FormatProblems } from "./index.ts"

export const formatJson: FormatProblems = function* ({ ok, problems }) {
  yield `{"ok":${ok},"problems":[`
  for (const [at, problem] of problems.entries()) {
    yield `${at === 0 ? "\n" : ",\n"}${breakCommandsInJson(JSON.stringify(entryOf(problem)))}`
  }
  yield problems.length === 0 ? "]}\n" : "\n]}\n"
}

/** Members in the order of the docs. What is wrong with a whole file stands at its start: readers need not ask. */
function entryOf({ file, line = 1, column = 1, code, severity, message, hint }: Problem): object {
  return { ...(file === undefined ? {} : { file, line, column }), code, severity, message, hint }
}
