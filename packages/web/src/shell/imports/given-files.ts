// The files and the folder that the user chooses or drops for an import, and their texts.

import { decodeText } from "@callsheet/format"
import type { ImportSource, Input } from "@callsheet/server/calls"
import { UserError } from "../../connection/fault-of.ts"

export interface FolderFile {
  /** The path from the parent of the folder, with `/`. */
  readonly path: string
  readonly file: File
}

export interface GivenFiles {
  readonly files: readonly File[]
  /** The files of the folder of a collection. */
  readonly folder: readonly FolderFile[]
}

export const folderName = ([first]: readonly FolderFile[]): string => first?.path.split("/")[0] ?? ""

/** Returns the files of a chosen folder that a collection can have. Throws a `UserError` if there are none. */
export function chosenFolder(chosen: readonly File[]): readonly FolderFile[] {
  const all = chosen.map((file) => ({ path: file.webkitRelativePath, file }))
  return all.length === 0 ? [] : ofCollection(all)
}

/** Returns whether a collection can have the file. Others, such as git's, are not read. */
const isOfCollection = ({ path }: FolderFile): boolean =>
  /\.(?:bru|ya?ml|json)$/.test(path) && !/\/(?:\.[^/]*|node_modules)\//.test(path)

function ofCollection(all: readonly FolderFile[]): readonly FolderFile[] {
  const found = all.filter(isOfCollection)
  if (found.length > 0) return found
  throw new UserError(`The folder ${folderName(all)} has no collection: no .bru, .yml or .json files.`)
}

/** More files than any collection has. Stops the search of a folder such as a whole home directory. */
const MAX_FILES = 20_000

/** Returns what is dropped. Call it before the event ends, because the browser then forgets the files. */
export function droppedFiles({ items }: DataTransfer): Promise<GivenFiles> {
  const dropped = [...items].filter(({ kind }) => kind === "file")
  const entries = dropped.flatMap((item) => item.webkitGetAsEntry() ?? [])
  const folders = entries.filter(isFolder)
  const files = dropped.flatMap((item) =>
    item.webkitGetAsEntry()?.isDirectory === true ? [] : (item.getAsFile() ?? []),
  )
  return readFolders(folders, files)
}

async function readFolders(
  [first, second]: readonly FileSystemDirectoryEntry[],
  files: readonly File[],
): Promise<GivenFiles> {
  if (second !== undefined) throw new UserError("Drop one folder. A collection has only one.")
  return { files, folder: first === undefined ? [] : ofCollection(await filesIn(first)) }
}

async function filesIn(root: FileSystemDirectoryEntry): Promise<readonly FolderFile[]> {
  const found: FolderFile[] = []
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await entriesOf(folder)) {
      if (isFolder(entry) && !/^\.|^node_modules$/.test(entry.name)) folders.push(entry)
      else if (entry.isFile)
        found.push({ path: entry.fullPath.slice(1), file: await fileOf(entry as FileSystemFileEntry) })
      if (found.length + folders.length > MAX_FILES)
        throw new UserError(
          `The folder ${root.name} has more files than a collection. Drop the collection's own.`,
        )
    }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Reads all entries. The browser returns a part of them at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () => reject(unreadable(folder.name))),
    )
    if (some.length === 0) return found
    found.push(...some)
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, () => reject(unreadable(entry.name))))

const unreadable = (name: string): UserError =>
  new UserError(`The browser can't read ${name}. It may have moved or changed: choose it again.`)

export const sourceOf = async (file: File): Promise<ImportSource> => ({
  name: file.name,
  text: await textOf(file, file.name),
})

/** Reads a folder for the call. Paths then start below the folder. */
export async function directoryOf(
  folder: readonly FolderFile[],
): Promise<Input<"imports.plan">["directory"]> {
  if (folder.length === 0) return undefined
  const name = folderName(folder)
  const read = async ({ path, file }: FolderFile) => ({
    path: path.slice(name.length + 1),
    text: await textOf(file, path),
  })
  return { name, files: await Promise.all(folder.map(read)) }
}

/** Throws a `UserError` if the file isn't UTF-8, because a replaced character would be lost without a word. */
async function textOf(file: File, name: string): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw unreadable(name)
  })
  const decoded = decodeText(new Uint8Array(bytes))
  if (decoded.ok) return decoded.text
  throw new UserError(`${name}: ${decoded.finding.message}. Save the file as UTF-8, or choose another one.`)
}
