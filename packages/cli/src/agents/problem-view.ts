// Problems in the results of tools, with the page of the documentation that explains their code.

import { fileCodes, settingCodes, shapes, type Problem } from "@callsheet/format"

const { array, enumOf, number, object, optional, required, string } = shapes

/** Returns the page about a code, from the root of the repository. */
export function docsOf(code: string): string {
  const page = Object.hasOwn(fileCodes, code)
    ? "errors"
    : Object.hasOwn(settingCodes, code)
      ? "errors-environments"
      : "errors-runs"
  return `docs/reference/${page}.md#${code}`
}

const problem = object({
  severity: required(enumOf("error", "warning"), "Errors make validate fail."),
  code: required(string(), "A stable code."),
  message: required(string(), "What is wrong."),
  hint: optional(string(), "What to do."),
  file: optional(string(), "The file, from the project's root."),
  line: optional(number({ integer: true }), "1-based."),
  column: optional(number({ integer: true }), "1-based."),
  docs: required(string(), "The page about this code."),
})

const MAX_PROBLEMS = 100

export const problemFields = {
  ok: required(shapes.boolean, "True if there are no errors."),
  errors: required(number({ integer: true }), "The number of errors."),
  warnings: required(number({ integer: true }), "The number of warnings."),
  problems: required(
    array(() => problem),
    `At most ${MAX_PROBLEMS}, errors first.`,
  ),
}

export function problemsView(problems: readonly Problem[]) {
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = problems.filter(({ severity }) => severity !== "error")
  return {
    ok: errors.length === 0,
    errors: errors.length,
    warnings: warnings.length,
    problems: [...errors, ...warnings].slice(0, MAX_PROBLEMS).map(problemView),
  }
}

const problemView = ({ severity, code, message, hint, file, line, column }: Problem) => ({
  severity,
  code,
  message,
  hint,
  file,
  line,
  column,
  docs: docsOf(code),
})
