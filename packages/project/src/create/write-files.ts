// Writes the files of `init`, each atomically. Creates the new directory last, so that no journal is needed.

import { randomBytes } from "node:crypto"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { attempt } from "@callsheet/format"
import { applyChange } from "../write/apply-change.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { replaceStep, type ChangeStep } from "../write/ready-step.ts"
import { writeFailed } from "../write/write-failed.ts"
import { discard, isTempName, syncFolder, writeFileWhole } from "../write/write-file-whole.ts"
import { ensureFolder, ensureFolders, foldersOf, readForEdit, type WriteScope } from "../write/write-scope.ts"

export interface FileEdit {
  readonly file: string
  /** Returns the new text, or undefined to keep the file. `text` includes the byte order mark. */
  readonly edit: (text: string | undefined) => string | undefined
}

interface WriteFilesRequest {
  readonly root: string
  readonly title: string
  readonly edits: readonly FileEdit[]
  readonly folder?: { readonly name: string; readonly files: ReadonlyMap<string, string> }
  /** Throws if the change isn't allowed. Called while the project is locked. */
  readonly guard?: () => void
}

/**
 * Writes the files. Throws the errors of `guard` and `changeProject`. After an error, files written earlier stay, but
 * none is partial.
 */
export async function writeFiles(request: WriteFilesRequest, options: WriteOptions = {}): Promise<Changed> {
  const { root, title, edits, folder, guard } = request
  const parents = [...new Set(edits.flatMap(({ file }) => foldersOf(file)))]
  const written: string[] = []
  const makeChanges = (scope: WriteScope) => {
    guard?.()
    for (const { file } of edits) ensureFolders(scope, file)
    for (const step of edits.flatMap((edit) => stepOf(scope, edit))) {
      applyChange(scope, { title, steps: [step] })
      written.push(step.file)
    }
    if (folder !== undefined) written.push(...placeFolder(scope, folder))
    return { change: { title, steps: [] }, result: {} }
  }
  const changed = await changeProject({ root, folders: ["", ...parents], makeChanges }, options)
  return { ...changed, files: [...new Set(written)] }
}

function stepOf(scope: WriteScope, { file, edit }: FileEdit): readonly ChangeStep[] {
  const before = readForEdit(scope, file)
  const edited = edit(before.text)
  return edited === undefined || edited === before.text ? [] : [replaceStep(before, edited)]
}

/** Creates the directory under a name that git ignores, and renames it when it is complete. */
function placeFolder(
  scope: WriteScope,
  { name, files }: NonNullable<WriteFilesRequest["folder"]>,
): readonly string[] {
  const { project, disk } = scope
  removeLeftFolders(project.realRoot)
  const temp = `.callsheet-${randomBytes(8).toString("hex")}.secrets.env`
  const folders = [...new Set([...files.keys()].flatMap((file) => foldersOf(`${temp}/${file}`)))]
  try {
    for (const folder of folders) ensureFolder(scope, folder)
    for (const [file, text] of files) {
      writeFileWhole(scope, `${temp}/${file}`, { bytes: new TextEncoder().encode(text), isSecret: false })
    }
    disk.renameSync(join(project.realRoot, temp), join(project.realRoot, name))
  } catch (error) {
    for (const file of files.keys()) discard(disk, join(project.realRoot, temp, file))
    throw writeFailed(name, error)
  }
  // A failed sync does no harm: if a power failure removes the directory, the same call creates it again.
  attempt(() => syncFolder(disk, project.realRoot))
  return [...files.keys()].map((file) => `${name}/${file}`)
}

function removeLeftFolders(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isDirectory() && isTempName(entry.name))
      rmSync(join(root, entry.name), { recursive: true, force: true })
  }
}
