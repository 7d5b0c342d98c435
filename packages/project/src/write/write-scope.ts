// Finds the files that a change may write, which must be inside the project even through links.

import * as fs from "node:fs"
import type { Stats } from "node:fs"
import * as system from "node:path"
import { basename, dirname, join } from "node:path"
import { attempt, CallsheetError, retryWhileBusy, wayBetween } from "@callsheet/format"
import { inFile, messages } from "../messages.ts"
import { isInFolder, linkOutside, type ProjectFolder } from "../read/project-folder.ts"
import { writeFailed } from "./write-failed.ts"

export interface WriteScope {
  readonly project: ProjectFolder
  readonly disk: Disk
  /** The directories that the change has created. If the change fails, the empty ones are removed. */
  readonly made: string[]
}

export interface Target {
  readonly file: string
  /** The absolute path. All links in its directory are resolved. */
  readonly path: string
  readonly stats: Stats | undefined
}

/** Returns an entry to move or remove, without following a link. Throws `link-outside` or `write-failed`. */
export function locateEntry({ project, disk }: WriteScope, file: string): Target {
  try {
    const folder = disk.realpathSync(join(project.root, dirname(file)))
    requireWritable(project, folder, file)
    const path = join(folder, basename(file))
    return { file, path, stats: disk.lstatSync(path, { throwIfNoEntry: false }) }
  } catch (error) {
    throw writeFailed(file, error)
  }
}

/** Returns a regular file to read or replace. Follows links inside the project. */
export function locateFile(scope: WriteScope, file: string): Target {
  const entry = locateEntry(scope, file)
  const target = entry.stats?.isSymbolicLink() === true ? followLink(scope, entry) : entry
  if (target.stats === undefined || target.stats.isFile()) return target
  throw writeFailed(file, "it is not a regular file")
}

function followLink({ project, disk }: WriteScope, { file, path }: Target): Target {
  try {
    const real = disk.realpathSync(path)
    requireWritable(project, real, file)
    return { file, path: real, stats: disk.statSync(real) }
  } catch (error) {
    throw writeFailed(file, error)
  }
}

/** Creates a directory in an existing directory of the project. Does nothing if it exists. */
export function ensureFolder(scope: WriteScope, folder: string): void {
  const { path, stats } = locateEntry(scope, folder)
  if (stats !== undefined) return
  try {
    scope.disk.mkdirSync(path)
    scope.made.push(folder)
  } catch (error) {
    throw writeFailed(folder, error)
  }
}

export function ensureFolders(scope: WriteScope, file: string): void {
  for (const folder of foldersOf(file)) ensureFolder(scope, folder)
}

/** Returns `a` and `a/b` for `a/b/c.json`. */
export function foldersOf(file: string): readonly string[] {
  const names = dirname(file).split("/")
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

/** Removes a directory. Keeps one that isn't empty. */
export const removeIfEmpty = ({ project, disk }: WriteScope, folder: string): void =>
  attempt(() => disk.rmdirSync(join(project.realRoot, folder)))

export function readTarget(scope: WriteScope, { file, path, stats }: Target): Uint8Array | undefined {
  if (stats === undefined) return undefined
  try {
    return scope.disk.readFileSync(path)
  } catch (error) {
    throw writeFailed(file, error)
  }
}

export interface EditableFile {
  readonly file: string
  /** The bytes and the text, including a byte order mark. Both are undefined if the file doesn't exist. */
  readonly bytes: Uint8Array | undefined
  readonly text: string | undefined
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Reads a file to edit. Throws `file-encoding` if the bytes aren't UTF-8, because such a file is never overwritten. */
export function readForEdit(scope: WriteScope, file: string): EditableFile {
  const bytes = readTarget(scope, locateFile(scope, file))
  if (bytes === undefined) return { file, bytes, text: undefined }
  try {
    return { file, bytes, text: decoder.decode(bytes) }
  } catch {
    throw new CallsheetError(messages["file-encoding"].notUtf8(file))
  }
}

/** Throws `link-outside` for a real path outside the project, or in a Git directory, where files are programs and settings. */
function requireWritable({ realRoot }: ProjectFolder, realPath: string, file: string): void {
  if (!isInFolder(realRoot, realPath)) throw new CallsheetError(inFile(linkOutside(file), file))
  const names = wayBetween(system, realRoot, realPath).split("/")
  if (names.some((name) => name.toLowerCase() === ".git"))
    throw new CallsheetError(inFile(messages["link-outside"].repository(), file))
}

/** The calls that change files. Tests replace them to simulate a faulty disk. */
export type Disk = Pick<typeof fs, keyof typeof fs & `${string}Sync`>

/** Waits if another program has a file open that is to be replaced or removed. */
export const patiently = retryWhileBusy({ isWindows: system.sep === "\\" })

export const nodeDisk: Disk = {
  ...fs,
  renameSync: (from, to) => patiently(() => fs.renameSync(from, to)),
  unlinkSync: (path) => patiently(() => fs.unlinkSync(path)),
}
