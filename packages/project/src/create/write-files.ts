// What `init` writes: edited files and a new folder, each whole or not at all. The folder is last, so no journal is needed.

import { randomBytes } from "node:crypto"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { applyChange } from "../write/apply-change.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { foldersOf, makeFolders, removeIfEmpty } from "../write/make-folders.ts"
import { replaceStep, type ChangeStep } from "../write/ready-step.ts"
import { writeFailed } from "../write/write-failed.ts"
import { discard, isTempName, syncFolder, writeFileWhole } from "../write/write-file-whole.ts"
import { ensureFolder, readForEdit, type WriteScope } from "../write/write-scope.ts"

export interface FileEdit {
  readonly file: string
  /** The text that the file is to have, from the one that it has (with a byte order mark, if any); undefined leaves it. */
  readonly edit: (text: string | undefined) => string | undefined
}

interface NewFolder {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
}

interface WriteFilesRequest {
  readonly root: string
  readonly title: string
  readonly edits: readonly FileEdit[]
  readonly folder?: NewFolder
  /** Throws where the change must not be made; called under the project's lock. */
  readonly guard?: () => void
}

/** Throws as `guard` and `changeProject` do: then no file is half written, and edits that were done before stay. */
export async function writeFiles(request: WriteFilesRequest, options: WriteOptions = {}): Promise<Changed> {
  const { root, title, edits, folder, guard } = request
  const made = makeFolders(root, options.disk)
  const parents = [...new Set(edits.flatMap(({ file }) => foldersOf(file)))]
  const written: string[] = []
  const plan = (scope: WriteScope) => {
    guard?.()
    for (const { file } of edits) made.make(scope, file)
    for (const step of edits.flatMap((edit) => stepOf(scope, edit))) {
      applyChange(scope, { title, steps: [step] })
      written.push(step.file)
    }
    if (folder !== undefined) written.push(...placeFolder(scope, folder))
    return { change: { title, steps: [] }, result: {} }
  }
  const changed = await made.cleaningUp(() =>
    changeProject({ root, folders: ["", ...parents], plan }, options),
  )
  return { ...changed, files: [...new Set(written)] }
}

function stepOf(scope: WriteScope, { file, edit }: FileEdit): readonly ChangeStep[] {
  const before = readForEdit(scope, file)
  const edited = edit(before.text)
  return edited === undefined || edited === before.text ? [] : [replaceStep(before, edited)]
}

/** Makes the folder under a name that git ignores, and gives it its own when all is in it. */
function placeFolder(scope: WriteScope, { name, files }: NewFolder): readonly string[] {
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
    for (const folder of folders.toReversed()) removeIfEmpty(disk, join(project.realRoot, folder))
    throw writeFailed(name, error)
  }
  try {
    syncFolder(disk, project.realRoot)
  } catch {
    // It is there; what a power failure at this moment takes away, the same call makes again.
  }
  return [...files.keys()].map((file) => `${name}/${file}`)
}

function removeLeftFolders(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isDirectory() && isTempName(entry.name))
      rmSync(join(root, entry.name), { recursive: true, force: true })
  }
}
