// Finds the projects that `--project` names with a pattern, such as `services/*`.

import { readdirSync } from "node:fs"
import * as system from "node:path"
import { join, parse, resolve } from "node:path"
import { attempt, CallsheetError, isPattern, matches, wayBetween } from "@callsheet/format"
import { isProjectRoot } from "@callsheet/project"
import { messages, notices } from "../messages.ts"

export interface FoundProject {
  readonly root: string
  /** The path from the working directory, with `/`. */
  readonly name: string
}

/** Returns whether `--project` names several projects. A directory whose name has `*` is a project of its own. */
export const isProjectPattern = (cwd: string, given: string): boolean =>
  isPattern(given) && !isProjectRoot(resolve(cwd, given))

/** Throws `usage` if `--project` is a pattern. The command can't use several projects. */
export function refusePattern(command: string, cwd: string, given: string): void {
  if (isProjectPattern(cwd, given)) throw new CallsheetError(messages.usage.noPattern(`callsheet ${command}`))
}

/**
 * Returns the error with a hint if the shell has expanded a pattern: then the value of `--project` and the word after it
 * are projects.
 */
export function hintAtExpansion(error: unknown, argv: readonly string[]): unknown {
  const at = argv.indexOf("--project")
  const expanded = at === -1 ? [] : argv.slice(at + 1, at + 3)
  // The working directory may be gone.
  const isExpanded = attempt(() => expanded.every((word) => isProjectRoot(resolve(word)))) === true
  if (expanded.length < 2 || !isExpanded || !(error instanceof CallsheetError)) return error
  const { code, message, problems } = error
  return new CallsheetError({ code, message, hint: notices.expandedPattern() }, { problems, cause: error })
}

/**
 * Returns the matching projects by name. `*` and `?` match within a directory's name, and `**` any directories. Leaves
 * out hidden directories, symbolic links, `node_modules`, and what is in a project. Throws `project-missing` if there
 * are none.
 */
export function findProjects(cwd: string, pattern: string): readonly FoundProject[] {
  const { root } = parse(pattern)
  const segments = pattern
    .slice(root.length)
    .split(/[/\\]/)
    .filter((segment) => segment !== "." && segment !== "")
  const found = new Set<string>()
  const visited = new Set<string>()
  const visit = (folder: string, at: number): void => {
    // Two patterns with ** lead to a directory in many ways.
    const place = `${at} ${folder}`
    if (visited.has(place)) return
    visited.add(place)
    const segment = segments[at]
    if (segment === undefined) {
      if (isProjectRoot(folder)) found.add(folder)
    } else if (segment === "**") {
      visit(folder, at + 1)
      if (isProjectRoot(folder)) return
      for (const child of foldersIn(folder)) visit(join(folder, child), at)
    } else if (isPattern(segment)) {
      for (const child of foldersIn(folder)) if (matches(child, segment)) visit(join(folder, child), at + 1)
    } else visit(join(folder, segment), at + 1)
  }
  visit(resolve(cwd, root), 0)
  if (found.size === 0) throw new CallsheetError(messages["project-missing"].matching(pattern))
  return [...found]
    .map((folder) => ({ root: folder, name: wayBetween(system, cwd, folder) || "." }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

const foldersIn = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => name)
