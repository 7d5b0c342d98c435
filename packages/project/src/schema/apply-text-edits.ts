// Writes the texts of several files as one change: all of them, while each is still what the change was made from, or none.

import { GITIGNORE_FILE, ignoreSecrets, withoutIgnoring } from "../environment/ignore-secrets.ts"
import { editSteps } from "../text/edit-steps.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { ensureFolder, type WriteScope } from "../write/write-scope.ts"
import type { TextEdit } from "./schema-change.ts"

interface TextEditsRequest {
  readonly root: string
  /** For people: the journal says it where the change is interrupted. */
  readonly title: string
  readonly edits: readonly TextEdit[]
}

/** Throws `file-changed` with the files that are others by now, and as `changeProject` does; then no byte is changed. */
export async function applyTextEdits(
  { root, title, edits }: TextEditsRequest,
  options: WriteOptions = {},
): Promise<Changed> {
  let hasIgnored = false
  const folders = [...new Set([".", ...edits.map(({ file }) => folderOf(file))])]
  const plan = (scope: WriteScope) => {
    for (const { file, before } of edits) if (before === null) ensureFolder(scope, folderOf(file))
    // Of two files that a value moves between, the one that it goes to is first.
    const steps = editSteps(scope, edits).toSorted((a, b) => Number(b.isSecret) - Number(a.isSecret))
    if (steps.some(({ isSecret }) => isSecret)) hasIgnored = ignoreSecrets(scope) || hasIgnored
    return { change: { title, steps }, result: {} }
  }
  try {
    const changed = await changeProject({ root, folders, plan }, options)
    return hasIgnored ? { ...changed, files: [GITIGNORE_FILE, ...changed.files] } : changed
  } catch (error) {
    throw hasIgnored ? withoutIgnoring(error) : error
  }
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"))
