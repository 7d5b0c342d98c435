// Makes and edits files of a project as one change, with the folders that they need: what `init` does.

import { rmdirSync } from "node:fs"
import { join } from "node:path"
import { readForEdit } from "../environment/read-for-edit.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { ensureFolder, locateEntry, type WriteScope } from "../write/write-scope.ts"

export interface FileEdit {
  /** Path from the root, with `/`. */
  readonly file: string
  /** The text that the file is to have, from the one that it has (with a byte order mark, if any); undefined leaves it. */
  readonly edit: (text: string | undefined) => string | undefined
}

export interface WriteFilesRequest {
  /** Absolute path of a folder that is there. */
  readonly root: string
  readonly title: string
  readonly edits: readonly FileEdit[]
  /** Throws where the change must not be made; called under the project's lock. */
  readonly guard?: () => void
}

/**
 * Does all edits or none. Throws what `guard` throws, and as `changeProject` does; folders that were made for the change are
 * removed again then.
 */
export async function writeFiles(request: WriteFilesRequest, options: WriteOptions = {}): Promise<Changed> {
  const { root, title, edits, guard } = request
  const made: string[] = []
  const folders = [...new Set(edits.flatMap(({ file }) => foldersOf(file)))]
  try {
    return await changeProject(
      {
        root,
        folders: ["", ...folders],
        plan: (scope) => {
          guard?.()
          for (const folder of folders) makeFolder(scope, folder, made)
          return { change: { title, steps: edits.flatMap((edit) => stepOf(scope, edit)) }, result: {} }
        },
      },
      options,
    )
  } catch (error) {
    for (const folder of made.toReversed()) removeIfEmpty(join(root, folder))
    throw error
  }
}

/** `a/b/c.json` needs `a` and `a/b`. */
function foldersOf(file: string): readonly string[] {
  const names = file.split("/").slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

function makeFolder(scope: WriteScope, folder: string, made: string[]): void {
  // It says what is wrong where a file or a link is in the way.
  const before = locateEntry(scope, folder).stats
  ensureFolder(scope, folder)
  if (before === undefined) made.push(folder)
}

function stepOf(scope: WriteScope, { file, edit }: FileEdit): readonly ChangeStep[] {
  const { text, bytes: before } = readForEdit(scope, file)
  const edited = edit(text)
  if (edited === undefined || edited === text) return []
  return [{ do: "replace", file, bytes: new TextEncoder().encode(edited), before, isSecret: false }]
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Somebody has put something there meanwhile: it stays.
  }
}
