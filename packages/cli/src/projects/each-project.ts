// Resolves `--project`, and does the work of a command in its project or, with a pattern, in each that matches.

import { CallsheetError, inProject, isPattern, type Problem } from "@callsheet/format"
import { recoverProject } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import { notices } from "../messages.ts"
import { openRoot, reportRecovery } from "../open-root.ts"
import { reportError } from "../report-error.ts"
import { printable } from "../text/printable.ts"
import type { FoundProject } from "./find-projects.ts"

/** A project of a call. */
export interface CallProject {
  readonly root: string
  /** Its path from the working directory, if `--project` is a pattern. Output then names it. */
  readonly name: string | undefined
}

export interface ProjectResult<P, T> {
  readonly project: P
  readonly value: T
}

interface EachProject {
  /** Returns whether an error only means that the project has nothing of what was asked for. */
  readonly isAbsence?: (error: CallsheetError) => boolean
  /** Receives the error of a project, which names it. */
  readonly onError: (error: unknown) => void
  /** Returns true to leave out the rest. */
  readonly isOver?: () => boolean
}

/** Returns the projects that match, if `--project` is a pattern. Throws `project-missing` if there are none. */
export async function findSeveral({
  cwd,
  options,
}: CommandCall): Promise<readonly FoundProject[] | undefined> {
  const given = options.value("project")
  if (given === undefined || !isPattern(given)) return undefined
  const { findProjects, isProjectPattern } = await import("./find-projects.ts")
  return isProjectPattern(cwd, given) ? findProjects(cwd, given) : undefined
}

/**
 * Does the work in the project of a call, or in each of several. Of several, one that can't be read is reported and
 * doesn't keep the others from it: then `exitCode` is 2. Leaves out those where `isAbsence`. Throws the first error if
 * no project is left.
 */
export async function inEachProject<T>(
  call: CommandCall,
  work: (project: CallProject) => Promise<T>,
  more: Omit<EachProject, "onError"> = {},
): Promise<{ readonly results: readonly ProjectResult<CallProject, T>[]; readonly exitCode: 0 | 2 }> {
  const found = await findSeveral(call)
  if (found === undefined) {
    const project = { root: await openRoot(call), name: undefined }
    return { results: [{ project, value: await work(project) }], exitCode: 0 }
  }
  const errors: unknown[] = []
  const results = await inEach(call, found, { ...more, work, onError: (error) => void errors.push(error) })
  if (results.length === 0 && errors.length > 0) throw errors[0]
  reportErrors(errors, call)
  return { results, exitCode: errors.length > 0 ? 2 : 0 }
}

/** Prints the errors of projects that don't keep the others from going on. */
export function reportErrors(errors: readonly unknown[], { screen, options }: CommandCall): void {
  for (const error of errors) reportError(error, { output: screen.err, debug: options.has("debug") })
}

/** Does the work in each project. Errors name their project. */
export async function inEach<T>(
  { screen: { err } }: CommandCall,
  found: readonly FoundProject[],
  asked: EachProject & { readonly work: (project: FoundProject) => Promise<T> },
): Promise<readonly ProjectResult<FoundProject, T>[]> {
  const results: ProjectResult<FoundProject, T>[] = []
  const absent: ProjectResult<FoundProject, CallsheetError>[] = []
  for (const project of found) {
    if (asked.isOver?.() === true) break
    try {
      reportRecovery(await recoverProject(project.root), err)
      results.push({ project, value: await asked.work(project) })
    } catch (error) {
      if (error instanceof CallsheetError && asked.isAbsence?.(error) === true)
        absent.push({ project, value: error })
      else asked.onError(placeError(error, project.name))
    }
  }
  const [first] = absent
  if (absent.length === found.length && first !== undefined) throw placeError(first.value, first.project.name)
  for (const { project, value } of absent)
    err.write(`${printable(notices.projectSkipped(project.name, value.message))}\n`)
  return results
}

/** Returns a problem of a project with the project in its path or, without one, in its text. */
export function placeProblem(problem: Problem, project: string | undefined): Problem {
  if (project === undefined) return problem
  if (problem.file !== undefined) return inProject(problem, project)
  return { ...problem, message: `${project}: ${problem.message}` }
}

/** Returns the error of a project with the project in its texts and paths. */
export function placeError(error: unknown, project: string): unknown {
  if (!(error instanceof CallsheetError)) return error
  const { code, message, hint, problems } = error
  return new CallsheetError(
    { code, message: `${project}: ${message}`, hint },
    { problems: problems.map((problem) => placeProblem(problem, project)), cause: error },
  )
}
