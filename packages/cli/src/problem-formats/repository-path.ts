// Finds the path of a project's file in its repository, because CI services know no other path.

import { realpathSync } from "node:fs"
import * as system from "node:path"
import { attempt, joinBeyond, wayBetween } from "@callsheet/format"
import { findRepository, isInFolder } from "@callsheet/project"
import type { FormatContext } from "./text.ts"

/**
 * Maps project paths to repository paths. The repository is GitHub's workspace, the directory with the nearest `.git`,
 * or the project.
 */
export function createRepositoryPath(
  context: Pick<FormatContext, "root" | "processEnvironment">,
): (file: string) => string {
  const root = realpathSync(context.root)
  const repository =
    workspaceAround(root, context.processEnvironment["GITHUB_WORKSPACE"]) ?? findRepository(root) ?? root
  const way = wayBetween(system, repository, root)
  return way === "" ? (file) => file : (file) => joinBeyond(`${way}/`, file)
}

function workspaceAround(root: string, workspace: string | undefined): string | undefined {
  if (workspace === undefined || workspace === "") return undefined
  const folder = attempt(() => realpathSync(workspace))
  return folder !== undefined && isInFolder(folder, root) ? folder : undefined
}
