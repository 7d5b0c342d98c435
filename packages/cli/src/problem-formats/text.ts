// Declares what every problem format gets. Formats problems for people (with hints and a summary), or as one JSON
// document.

import { formatProblem, type Problem } from "@callsheet/format"
import { abbreviate } from "../messages.ts"
import { hintLine } from "../report-error.ts"
import type { Fix } from "../fix/fix-project.ts"
import type { Style } from "../screen.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { plural } from "../text/measures.ts"
import { printable } from "../text/printable.ts"

export interface Validation {
  readonly ok: boolean
  /** Errors and warnings or only errors, sorted by file and position. */
  readonly problems: readonly PlacedProblem[]
  readonly counts: ValidationCounts
  /** What `--fix` repaired. Undefined without the option. */
  readonly fixed?: readonly PlacedFix[] | undefined
}

/** Names the project of a part of the output, if the command checked several. */
interface OfProject {
  readonly project?: string | undefined
}

export type PlacedProblem = Problem & OfProject
type PlacedFix = Fix & OfProject

export interface ValidationCounts {
  readonly errors: number
  readonly warnings: number
  readonly files: number
  readonly workflows: number
  readonly apis: number
  readonly environments: number
  readonly allowedWarnings: number | undefined
  /** Set if the command checked several projects. `excessive` have more warnings than allowed. */
  readonly projects?: { readonly count: number; readonly excessive: readonly string[] } | undefined
}

export interface FormatContext {
  readonly style: Style
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

/** Yields the output with line breaks. It comes in pieces, because the length of a string is limited. */
export type FormatProblems = (validation: Validation, context: FormatContext) => Iterable<string>

export const formatText: FormatProblems = function* ({ ok, problems, counts }, { style }) {
  for (const problem of problems) yield `${lineOf(problem, style)}\n${hintLine(problem, style)}`
  if (problems.length > 0) yield "\n"
  const line = summarize(counts)
  if (!ok) yield `${style("red", `✗ ${line}`)}\n`
  else yield counts.warnings > 0 ? `${style("yellow", `! ${line}`)}\n` : `${style("green", "✓")} ${line}\n`
}

/** Formats a problem. An error starts with its position, as other programs expect. A warning starts with "warning". */
function lineOf(problem: Problem, style: Style): string {
  const line = printable(formatProblem(problem))
  if (problem.severity === "warning") return `${style("yellow", "warning:")} ${line}`
  const place = line.length - printable(`${problem.message} (${problem.code})`).length
  return style("red", line.slice(0, place)) + line.slice(place)
}

/** Formats a summary such as `3 errors, 1 warning in 2 files; 8 workflows, 2 APIs, 5 environments checked`. */
export function summarize(counts: ValidationCounts): string {
  const { workflows, apis, environments, projects } = counts
  const checked = [
    plural(workflows, "workflow"),
    plural(apis, "API"),
    plural(environments, "environment"),
  ].join(", ")
  const place = projects === undefined ? "" : ` in ${plural(projects.count, "project")}`
  return `${found(counts)}; ${checked}${place} checked`
}

function found({ errors, warnings, files, allowedWarnings, projects }: ValidationCounts): string {
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ]
  if (parts.length === 0) return "no problems"
  const place = projects === undefined ? "" : ` in ${printable(abbreviate(projects.excessive))}`
  const limit = allowedWarnings === undefined ? "" : ` (more than the ${allowedWarnings} allowed${place})`
  return `${parts.join(", ")}${limit} in ${plural(files, "file")}`
}

export const formatJson: FormatProblems = function* ({ ok, problems, fixed }) {
  yield `{"ok":${ok},"problems":[`
  for (const [at, problem] of problems.entries()) {
    yield `${at === 0 ? "\n" : ",\n"}${breakCommandsInJson(JSON.stringify(entryOf(problem)))}`
  }
  yield problems.length === 0 ? "]" : "\n]"
  if (fixed !== undefined) yield `,"fixed":${breakCommandsInJson(JSON.stringify(fixed))}`
  yield "}\n"
}

/** Returns the members in the order of the docs. The position of a problem with a whole file is the file's start. */
function entryOf(problem: PlacedProblem): object {
  const { project, file, line = 1, column = 1, code, severity, message, hint } = problem
  return { project, ...(file === undefined ? {} : { file, line, column }), code, severity, message, hint }
}
