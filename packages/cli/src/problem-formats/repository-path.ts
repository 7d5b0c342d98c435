// Where a file of the project lies in its repository: services that show problems know no other path.

import { existsSync, realpathSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import type { FormatContext } from "./index.ts"

/**
 * The way from a file's path in the project to its path in the repository, with `/`. The repository is the workspace of
 * GitHub Actions where the project lies in it, else the nearest folder upwards with `.git`, else the project itself.
 */
export function createRepositoryPath(
  context: Pick<FormatContext, "root" | "processEnvironment">,
): (file: string) => string {
  const root = realpathSync(context.root)
  const repository =
    workspaceAround(root, context.processEnvironment["GITHUB_WORKSPACE"]) ?? gitFolderAbove(root) ?? root
  const way = relative(repository, root).split(sep).join("/")
  return way === "" ? (file) => file : (file) => `${way}/${file}`
}

function workspaceAround(root: string, workspace: string | undefined): string | undefined {
  if (workspace === undefined || workspace === "") return undefined
  try {
    const folder = realpathSync(workspace)
    return root === folder || root.startsWith(folder.endsWith(sep) ? folder : folder + sep)
      ? folder
      : undefined
  } catch {
    return undefined
  }
}

/** In a worktree or a submodule `.git` is a file. */
function gitFolderAbove(root: string): string | undefined {
  let folder = root
  while (!existsSync(join(folder, ".git"))) {
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
  return folder
}
