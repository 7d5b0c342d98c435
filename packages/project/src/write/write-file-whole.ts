// Replaces a file atomically: writes a temporary file next to it, syncs and checks that file, and renames it.

import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { dirname, join } from "node:path"
import { attempt } from "@callsheet/format"
import { isInFolder } from "../read/project-folder.ts"
import { errorCode } from "../read/reason.ts"
import { locateFile, type Disk, type Target, type WriteScope } from "./write-scope.ts"
import { ShortWrite, writeFailed } from "./write-failed.ts"

interface Content {
  readonly bytes: Uint8Array
  /** True for a secrets file. At no time can anyone but its owner read it. */
  readonly isSecret: boolean
  /** The mode of a new file that isn't secret. By default, the system's. */
  readonly mode?: number
}

/**
 * Replaces or creates a file. `file` is its path from the root. Follows links inside the project. Keeps the mode of an
 * existing file. A secrets file always gets 0600.
 *
 * Throws `write-failed` or `link-outside`, and then leaves the file unchanged, unless only the sync of its directory
 * failed. Never leaves a temporary file.
 */
export function writeFileWhole(scope: WriteScope, file: string, content: Content): void {
  const staged = stageFile(scope, file, content)
  try {
    if (locateFile(scope, file).path !== staged.target.path) throw replacedDirectory(file)
    scope.disk.renameSync(staged.temp, staged.target.path)
    syncFolder(scope.disk, dirname(staged.target.path))
  } catch (error) {
    discard(scope.disk, staged.temp)
    throw writeFailed(file, error)
  }
}

/** Writes the content to a temporary file next to the target, and checks that all of it is on the disk. */
export function stageFile(scope: WriteScope, file: string, content: Content) {
  const target = locateFile(scope, file)
  let temp: string | undefined
  try {
    // A rename would replace even a read-only file, so check the permission.
    if (target.stats !== undefined) scope.disk.accessSync(target.path, constants.W_OK)
    const created = createTemp(scope.disk, dirname(target.path), content.isSecret)
    temp = created.temp
    fill(scope, created, { target, content })
    return { target, temp }
  } catch (error) {
    if (temp !== undefined) discard(scope.disk, temp)
    throw writeFailed(file, error)
  }
}

/** Temporary files have the extension of secrets files, so that git ignores them. */
const tempName = /^\.callsheet-[0-9a-f]{16}\.secrets\.env$/
export const isTempName = (name: string): boolean => tempName.test(name)

const ATTEMPTS = 4

interface Created {
  readonly temp: string
  readonly descriptor: number
}

function createTemp(disk: Disk, folder: string, isSecret: boolean): Created {
  for (let attempt = 1; ; attempt++) {
    const name = `.callsheet-${randomBytes(8).toString("hex")}.secrets.env`
    const temp = join(folder, name)
    try {
      // O_EXCL prevents writing to an existing file or through a link.
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
      return { temp, descriptor: disk.openSync(temp, flags, isSecret ? 0o600 : 0o666) }
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || attempt === ATTEMPTS) throw error
    }
  }
}

function fill(
  scope: WriteScope,
  created: Created,
  { target, content }: { readonly target: Target; readonly content: Content },
): void {
  const { bytes, isSecret, mode = target.stats?.mode } = content
  const { disk } = scope
  const { descriptor } = created
  try {
    refuseElsewhere(scope, target.file, created)
    keepOwner(disk, descriptor, target)
    if (isSecret) disk.fchmodSync(descriptor, 0o600)
    else if (mode !== undefined) disk.fchmodSync(descriptor, mode & 0o7777)
    let written = 0
    while (written < bytes.length) {
      const count = disk.writeSync(descriptor, bytes, written, bytes.length - written)
      if (count === 0) throw new ShortWrite(written, bytes.length)
      written += count
    }
    disk.fsyncSync(descriptor)
    // Checks the file on the disk, because the results of the calls may be wrong.
    const { size } = disk.fstatSync(descriptor)
    if (size !== bytes.length) throw new ShortWrite(size, bytes.length)
  } finally {
    disk.closeSync(descriptor)
  }
}

/** If a directory on its path has become a link, removes the empty temporary file and throws. */
function refuseElsewhere(scope: WriteScope, file: string, created: Created): void {
  const opened = openedPath(scope.disk, created.descriptor)
  if (opened === undefined ? isAtItsPath(scope.disk, created) : isBelowRoot(scope, created.temp, opened))
    return
  discard(scope.disk, opened ?? created.temp)
  throw replacedDirectory(file)
}

const replacedDirectory = (file: string) =>
  writeFailed(file, "a directory on its path was replaced while the file was being saved")

/** Returns the real path of an open file, which is known only on Linux. */
const openedPath = (disk: Disk, descriptor: number): string | undefined =>
  attempt(() => disk.readlinkSync(`/proc/self/fd/${descriptor}`))

/** Returns whether a file is in the project. Compares inodes, because paths may differ in case. */
function isBelowRoot({ project: { realRoot }, disk }: WriteScope, temp: string, opened: string): boolean {
  const inProject = temp.slice(realRoot.length)
  if (!opened.endsWith(inProject)) return false
  const root = disk.lstatSync(opened.slice(0, -inProject.length), { throwIfNoEntry: false })
  const { dev, ino } = disk.lstatSync(realRoot)
  return root?.dev === dev && root.ino === ino
}

function isAtItsPath(disk: Disk, { temp, descriptor }: Created): boolean {
  const found = disk.lstatSync(temp, { throwIfNoEntry: false })
  return found?.ino === disk.fstatSync(descriptor).ino && disk.realpathSync(temp) === temp
}

/** Keeps the file's user and group, which a rename would change. Throws if that fails. */
function keepOwner(disk: Disk, descriptor: number, { stats }: Target): void {
  if (stats === undefined) return
  const own = disk.fstatSync(descriptor)
  if (own.uid !== stats.uid || own.gid !== stats.gid) disk.fchownSync(descriptor, stats.uid, stats.gid)
}

/** Removes a temporary file. If that fails, the next change removes it. */
export const discard = (disk: Disk, temp: string): void => attempt(() => disk.unlinkSync(temp))

// Errors that don't matter, because the file itself is synced and renamed. Windows can't open directories, and network
// file systems can't sync them. A directory may be unreadable, or missing.
const cannotSync = new Set("EINVAL ENOTSUP EOPNOTSUPP ENOSYS EBADF EISDIR EPERM EACCES ENOENT".split(" "))

/** Syncs a directory, so that renames survive a power failure. Throws if a disk supports this but fails. */
export function syncFolder(disk: Disk, folder: string): void {
  try {
    const descriptor = disk.openSync(folder, constants.O_RDONLY)
    try {
      disk.fsyncSync(descriptor)
    } finally {
      disk.closeSync(descriptor)
    }
  } catch (error) {
    if (!cannotSync.has(errorCode(error) ?? "")) throw error
  }
}

/** Removes temporary files of killed processes from directories of the project. Callers must lock the project. */
export function sweep({ project, disk }: WriteScope, folders: readonly string[]): void {
  for (const folder of folders) {
    const path = join(project.realRoot, folder)
    for (const name of namesIn(disk, path, project.realRoot))
      if (isTempName(name)) discard(disk, join(path, name))
  }
}

// If a directory doesn't exist or can't be read, the change itself deals with it.
const namesIn = (disk: Disk, folder: string, root: string): readonly string[] =>
  attempt(() => (isInFolder(root, disk.realpathSync(folder)) ? disk.readdirSync(folder) : [])) ?? []
