// Finds programs to start. Refuses those that a project, an installed package or another user could have put there.

import { accessSync, constants, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs"
import type { BigIntStats } from "node:fs"
import { userInfo } from "node:os"
import { basename, delimiter, dirname, isAbsolute, join, parse, sep } from "node:path"
import { attempt, once } from "@callsheet/format"
import type { ProcessEnvironment } from "../http/proxy.ts"

declare const checked: unique symbol

/** A program that callsheet may start. Only `findProgram` and `thisNode` create one. */
export interface FoundProgram {
  /** The absolute path, with all links resolved. */
  readonly file: string
  /** The path before links were resolved. Some programs choose by this name what they do. */
  readonly calledAs: string
  /** The `PATH` of the program itself: the directories that may be searched. Undefined if `PATH` doesn't change. */
  readonly searchPath: string | undefined
  readonly [checked]: true
}

export interface RefusedProgram {
  readonly file: string
  /** It is in the project, in a `node_modules` directory, other users can change it, or only a shell could run it. */
  readonly because: "project" | "packages" | "others" | "batch"
}

export interface ProgramPlace {
  /** The project, whose programs aren't used. */
  readonly root: string
  readonly processEnvironment: ProcessEnvironment
}

interface ProgramSearch {
  readonly program?: FoundProgram
  /** The first program that was refused, if no other was found. */
  readonly refused?: RefusedProgram | undefined
}

/** Finds a program by its name in the directories of `PATH`, or checks the one at an absolute path. */
export function findProgram(command: string, { root, processEnvironment }: ProgramPlace): ProgramSearch {
  const project = attempt(() => statSync(root, { bigint: true }))
  const folders = foldersOf(processEnvironment)
  let refused: RefusedProgram | undefined
  for (const calledAs of placesOf(command, folders ?? [])) {
    const found = attempt(() => examine(calledAs, project))
    if (found?.because !== undefined) refused ??= { file: calledAs, because: found.because }
    else if (found?.stats.isFile() === true && isExecutable(found.file)) {
      const { file } = found
      const safe = folders?.filter((folder) => isSafeFolder(folder, project))
      // With an empty `PATH`, a program would search the working directory.
      const searchPath = safe?.length === 0 ? dirname(file) : safe?.join(delimiter)
      return { program: { file, calledAs, searchPath } as FoundProgram }
    }
  }
  return { refused: refused ?? findBatchFile(command, folders ?? []) }
}

/** Node itself, which runs already. */
export const thisNode = (): FoundProgram =>
  ({ file: process.execPath, calledAs: process.execPath, searchPath: undefined }) as FoundProgram

const isWindows = sep === "\\"
const separators = isWindows ? /[\\/]/ : /\//

/** Returns whether a command is only a name, so that the directories of `PATH` are searched for it. */
export const isProgramName = (command: string): boolean => !separators.test(command)

export const isSearchPath = (variable: string): boolean =>
  isWindows ? variable.toUpperCase() === "PATH" : variable === "PATH"

/** Returns the absolute directories of `PATH`. Undefined if it isn't set. */
function foldersOf(environment: ProcessEnvironment): readonly string[] | undefined {
  const [, path] = Object.entries(environment).find(([name]) => isSearchPath(name)) ?? []
  return path?.split(delimiter).filter((folder) => isAbsolute(folder))
}

/** On Windows, the file of a command has one of these endings, which the command may leave out. */
const endings = { program: [".com", ".exe"], batch: [".bat", ".cmd"] } as const

function placesOf(
  command: string,
  folders: readonly string[],
  kind: keyof typeof endings = "program",
): readonly string[] {
  const places = isAbsolute(command)
    ? [command]
    : isProgramName(command)
      ? folders.map((folder) => folder + sep + command)
      : []
  if (!isWindows) return places
  return places.flatMap((place) =>
    endings[kind].some((ending) => place.toLowerCase().endsWith(ending))
      ? [place]
      : endings[kind].map((ending) => place + ending),
  )
}

/** Batch files aren't programs: only a shell could run them. */
function findBatchFile(command: string, folders: readonly string[]): RefusedProgram | undefined {
  if (!isWindows) return undefined
  const file = placesOf(command, folders, "batch").find(
    (place) => attempt(() => statSync(place).isFile()) === true,
  )
  return file === undefined ? undefined : { file, because: "batch" }
}

function isExecutable(file: string): boolean {
  if (isWindows) return true
  return attempt(() => accessSync(file, constants.X_OK) ?? true) === true
}

function isSafeFolder(folder: string, project: BigIntStats | undefined): boolean {
  const found = attempt(() => examine(folder, project))
  if (found === undefined || found.because !== undefined) return false
  return found.stats.isDirectory() && !(checksOwners() && isWritable(found.stats))
}

type Examined = { readonly because: RefusedProgram["because"] } | (Place & { readonly because?: undefined })

interface Place {
  readonly file: string
  readonly stats: BigIntStats
}

/** Follows a path. Throws if nothing is there. */
function examine(path: string, project: BigIntStats | undefined): Examined {
  let last: Place | undefined
  let isOpen = false
  for (const place of follow(path)) {
    last = place
    // Compares directories, because the same one can have several names.
    if (place.stats.ino === project?.ino && place.stats.dev === project.dev) return { because: "project" }
    if (isPackages(basename(place.file))) return { because: "packages" }
    isOpen ||= checksOwners() && !isGuarded(place)
  }
  if (last === undefined || isOpen) return { because: "others" }
  // The system knows names that `follow` doesn't: the short ones of Windows.
  const file = realpathSync.native(last.file)
  return file.split(separators).some(isPackages) ? { because: "packages" } : { file, stats: last.stats }
}

const isPackages = (name: string): boolean => name.toLowerCase() === "node_modules"

/** More than any system follows. */
const MAX_STEPS = 1_000

/**
 * Lists everything that the system reads on the way to a path: each directory, each link, and where links lead. Whoever
 * can change one of these can change the program.
 */
function* follow(path: string): Generator<Place> {
  let folder = parse(path).root
  const names = path.slice(folder.length).split(separators)
  yield placeAt(folder)
  for (let step = 0; names.length > 0; step++) {
    if (step > MAX_STEPS) throw new Error("the path has too many links")
    const name = names.shift() ?? ""
    if (name === "" || name === ".") continue
    const place = placeAt(name === ".." ? dirname(folder) : join(folder, name))
    yield place
    if (!place.stats.isSymbolicLink()) {
      folder = place.file
      continue
    }
    const target = readlinkSync(place.file)
    const { root } = parse(target)
    names.unshift(...target.slice(root.length).split(separators))
    if (root === "") continue
    folder = root
    yield placeAt(root)
  }
}

const placeAt = (file: string): Place => ({ file, stats: lstatSync(file, { bigint: true }) })

/** If other users can change Node, which runs callsheet, refusing their programs protects nobody. */
const checksOwners = once(
  () => process.getuid !== undefined && [...follow(process.execPath)].every((place) => isGuarded(place)),
)

/** Returns whether only this user and administrators can change what is here. */
function isGuarded({ file, stats }: Place): boolean {
  if (!stats.isDirectory() && isWritable(placeAt(dirname(file)).stats)) return false
  // Nobody can change a link, only replace it.
  if (stats.isSymbolicLink()) return true
  const isOwned = stats.uid === 0n || stats.uid === BigInt(process.getuid?.() ?? 0)
  // In a sticky directory, others can't replace a directory that isn't theirs.
  const isSticky = stats.isDirectory() && (stats.mode & 0o1000n) !== 0n
  return isOwned && (isSticky || !isWritable(stats))
}

const isWritable = (stats: BigIntStats): boolean =>
  (stats.mode & 0o002n) !== 0n || ((stats.mode & 0o020n) !== 0n && !isTrustedGroup(stats))

/** Returns whether a group has no members except the user and those who can become root anyway. */
function isTrustedGroup({ gid, uid }: BigIntStats): boolean {
  if (gid === 0n) return true
  const [name, , , members = ""] = groups().find(([, , id]) => id === String(gid)) ?? []
  if (name === undefined) return false
  // Homebrew's directories on macOS, and `/usr/local` of Debian, belong to groups of administrators.
  if (process.platform === "darwin") return name === "admin"
  if (name === "staff" && uid === 0n) return true
  // Many systems create a group for each user.
  const user = attempt(() => userInfo().username)
  return name === user && (members === "" || members === user)
}

const groups = once(() =>
  (attempt(() => readFileSync("/etc/group", "utf8")) ?? "").split("\n").map((line) => line.split(":")),
)
