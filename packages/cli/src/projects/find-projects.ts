// Finds the projects that `--project` names with a pattern, such as `services/*`.

import { readdirSync } from "node:fs"
import { posix, resolve } from "node:path"
import { attempt, CallsheetError } from "@callsheet/format"
import { isPattern, matches } from "@callsheet/language"
import { isProjectRoot } from "@callsheet/project"
import { messages } from "../messages.ts"

export interface FoundProject {
  readonly root: string
  /** The path from the working directory, with `/`. */
  readonly name: string
}

/** Returns whether `--project` names several projects. A directory whose name has `*` is a project of its own. */
export const isProjectPattern = (cwd: string, given: string): boolean =>
  isPattern(given) && !isProjectRoot(resolve(cwd, given))

/**
 * Returns the matching projects by name. `*` and `?` match within a directory's name, and `**` any directories. Leaves
 * out hidden directories, `node_modules`, and what is in a project. Throws `project-missing` if there are none.
 */
export function findProjects(cwd: string, pattern: string): readonly FoundProject[] {
  const segments = pattern
    .split(/[/\\]/)
    .filter((segment, at) => segment !== "." && (segment !== "" || at === 0))
  const found = new Map<string, FoundProject>()
  const visit = (name: string, at: number): void => {
    const folder = resolve(cwd, name === "" ? "." : name)
    const segment = segments[at]
    if (segment === undefined) {
      if (isProjectRoot(folder)) found.set(folder, { root: folder, name: name === "" ? "." : name })
    } else if (segment === "**") {
      visit(name, at + 1)
      if (isProjectRoot(folder)) return
      for (const child of foldersIn(folder)) visit(posix.join(name, child), at)
    } else if (isPattern(segment)) {
      for (const child of foldersIn(folder))
        if (matches(child, segment)) visit(posix.join(name, child), at + 1)
    } else visit(posix.join(name, segment), at + 1)
  }
  visit(segments[0] === "" ? "/" : "", segments[0] === "" ? 1 : 0)
  if (found.size === 0) throw new CallsheetError(messages["project-missing"].matching(pattern))
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

const foldersIn = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => name)
