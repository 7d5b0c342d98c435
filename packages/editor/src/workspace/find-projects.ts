// Finds the projects of a workspace: every directory with `apis/` below its folders.

import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { readGit } from "@callsheet/engine"
import { isProjectRoot } from "@callsheet/project"

/** More than any workspace has, so that a link to a whole disk ends. */
const MAX_FOLDERS = 20_000

interface Search {
  /** False if nothing of the workspace may have an effect, so git isn't asked what it ignores. */
  readonly asksGit: boolean
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

/** Returns absolute paths. Passes over hidden directories, `node_modules`, and what git ignores. */
export async function findProjects(folder: string, search: Search): Promise<readonly string[]> {
  const found: string[] = []
  let level: readonly string[] = [folder]
  for (let seen = 0; level.length > 0 && seen < MAX_FOLDERS;) {
    seen += level.length
    found.push(...level.filter(isProjectRoot))
    const below = await Promise.all(level.map(foldersIn))
    level = below.flat()
  }
  if (found.length === 0 || !search.asksGit) return found
  const ignored = await ignoredOf(folder, found, search)
  return found.filter((root) => root === folder || !ignored.has(root))
}

/** Links aren't followed, so that no directory is found twice. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  // No project is inside the directory that makes one.
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .filter(({ name }) => name !== "node_modules" && name !== "apis")
    .map(({ name }) => join(folder, name))
}

async function ignoredOf(
  folder: string,
  roots: readonly string[],
  { processEnvironment }: Search,
): Promise<ReadonlySet<string>> {
  const place = { root: folder, processEnvironment }
  // The command refuses literal paths. A path from the root of the disk has no other meaning.
  const words = ["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"]
  const { output } = await readGit(words, place, { input: roots.join("\0") })
  return new Set(output.toString("utf8").split("\0"))
}
