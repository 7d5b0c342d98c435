// Lists directories and reads files of a project. Follows links only inside the project and opens only regular files.

import { constants, isUtf8 } from "node:buffer"
import * as fs from "node:fs"
import * as system from "node:path"
import { join, normalize, sep } from "node:path"
import {
  checkProjectFile as checkSettings,
  decodeText,
  nameKey,
  parseSize,
  PROJECT_FILE,
  checkFreeName,
  toProblem,
  CallsheetError,
  isWithin,
  leadsOut,
  type Problem,
  type SourceFile,
  type Finding,
} from "@callsheet/format"
import { messages, inFile } from "../messages.ts"
import { errorCode, reasonOf } from "./reason.ts"

const unreadable = messages["file-unreadable"]

export interface ProjectFolder {
  readonly root: string
  readonly realRoot: string
  readonly unsaved?: UnsavedTexts | undefined
}

/** Texts that replace those on disk, such as an editor's, by the absolute path of the file with all links resolved. */
export type UnsavedTexts = ReadonlyMap<string, string>

/**
 * The kind of an entry, or of the target of a link. `outside` is a link out of the project, `nowhere` a broken link.
 */
type EntryKind = "file" | "folder" | "other" | "outside" | "nowhere"

export interface Entry {
  readonly name: string
  readonly file: string
  readonly kind: EntryKind
  /** The absolute path with all links resolved. Don't use it for `outside` and `nowhere`. */
  readonly realPath: string
  /** Replaces the text on disk. */
  readonly unsaved?: string | undefined
}

export interface Listing {
  /** The entries, sorted by name, without names that start with ".". */
  readonly entries: readonly Entry[]
  /** The absolute path of the directory with all links resolved. Absent if the directory can't be read. */
  readonly realPath?: string
  /** The reason why the directory can't be read. A missing directory counts as empty. */
  readonly problem?: Problem
}

export const MAX_FILE_BYTES = 16 * 1024 * 1024
/** The limit of a document, unless `callsheet.json` sets another. */
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024

export const openProjectFolder = (root: string, unsaved?: UnsavedTexts): ProjectFolder => ({
  root,
  realRoot: fs.realpathSync(root),
  unsaved,
})

export const isInFolder = (realFolder: string, realPath: string): boolean =>
  isWithin(realFolder, realPath, system)

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep)

/** Lists a directory of the project. `file` is the path from the root and must consist of listed or checked names. */
export function listFolder(project: ProjectFolder, file: string): Listing {
  try {
    const realPath = fs.realpathSync(join(project.root, file))
    if (!isInFolder(project.realRoot, realPath)) return { entries: [], problem: linkOutside(file) }
    // Joining and normalizing each path would take longer than listing the directory.
    const prefix = withSeparator(realPath)
    const listed = fs
      .readdirSync(realPath, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .map((found): Entry => {
        const { name } = found
        return { name, file: `${file}/${name}`, ...resolveEntry(project, found, prefix + name) }
      })
    const entries = [...listed, ...neverSaved(project, { file, prefix, listed })]
    return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), realPath }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { entries: [] }
    return { entries: [], problem: toProblem(unreadable.directory(reasonOf(error)), file) }
  }
}

/** Returns an entry of the project's root directory, or undefined if there is none. */
export function rootEntry(project: ProjectFolder, name: string): Entry | undefined {
  const path = join(project.realRoot, name)
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found !== undefined) return { name, file: name, ...resolveEntry(project, found, path) }
  const unsaved = project.unsaved?.get(path)
  return unsaved === undefined ? undefined : { name, file: name, kind: "file", realPath: path, unsaved }
}

interface ListedFolder {
  readonly file: string
  readonly prefix: string
  readonly listed: readonly Entry[]
}

/** Returns the unsaved files of a directory that are not on disk yet. */
function neverSaved({ unsaved }: ProjectFolder, { file, prefix, listed }: ListedFolder): readonly Entry[] {
  if (unsaved === undefined || unsaved.size === 0) return []
  const known = new Set(listed.map(({ name }) => name))
  return [...unsaved].flatMap(([path, text]): readonly Entry[] => {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : ""
    const isHere = name !== "" && !name.includes(sep) && !name.startsWith(".") && !known.has(name)
    return isHere ? [{ name, file: `${file}/${name}`, kind: "file", realPath: path, unsaved: text }] : []
  })
}

function resolveEntry(project: ProjectFolder, found: fs.Stats | fs.Dirent, path: string) {
  const resolved = found.isSymbolicLink()
    ? followLink(project, path)
    : { kind: kindOf(found), realPath: path }
  const unsaved = project.unsaved?.get(resolved.realPath)
  return unsaved === undefined ? resolved : { ...resolved, unsaved }
}

const kindOf = (found: Pick<fs.Stats, "isFile" | "isDirectory">): EntryKind =>
  found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"

function followLink(project: ProjectFolder, link: string): Pick<Entry, "kind" | "realPath"> {
  try {
    const realPath = fs.realpathSync(link)
    return isInFolder(project.realRoot, realPath)
      ? { kind: kindOf(fs.statSync(realPath)), realPath }
      : { kind: "outside", realPath }
  } catch {
    return { kind: "nowhere", realPath: link }
  }
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }

/** Reads a consistent state of a text file, without its byte order mark. */
export function readText(entry: Entry, maxBytes = MAX_FILE_BYTES): Read<SourceFile> {
  if (isUnsaved(entry)) return { ok: true, value: { file: entry.file, text: entry.unsaved } }
  const bytes = readBytes(entry, maxBytes)
  return bytes.ok ? decodeBytes(entry.file, bytes.value) : bytes
}

const isUnsaved = (entry: Entry): entry is Entry & { readonly unsaved: string } =>
  entry.unsaved !== undefined && entry.kind === "file"

function decodeBytes(file: string, bytes: Uint8Array): Read<SourceFile> {
  const decoded = decodeText(bytes)
  if (decoded.ok) return { ok: true, value: { file, text: decoded.text } }
  return { ok: false, problem: toProblem(decoded.finding, file) }
}

export function readDocumentText(project: ProjectFolder, entry: Entry): Read<SourceFile> {
  if (isUnsaved(entry)) return readText(entry)
  const size = fs.statSync(entry.realPath, { throwIfNoEntry: false })?.size ?? 0
  const limit = size > MAX_DOCUMENT_BYTES ? documentLimit(project) : MAX_DOCUMENT_BYTES
  if (entry.kind === "file" && size > limit)
    return { ok: false, problem: toProblem(unreadable.largeDocument(size, limit), entry.file) }
  const read = readBytes(entry, limit)
  if (!read.ok) return read
  const bytes = read.value
  if (!isPlainUtf8(bytes)) return decodeBytes(entry.file, bytes)
  let text: string | undefined
  return {
    ok: true,
    value: {
      file: entry.file,
      bytes,
      get text() {
        return (text ??= new TextDecoder().decode(bytes))
      },
    },
  }
}

/** Returns the limit in `callsheet.json`. Only the few projects with a larger document need the file. */
function documentLimit(project: ProjectFolder): number {
  const entry = rootEntry(project, PROJECT_FILE)
  const read = entry && readText(entry)
  const checked = read?.ok === true ? checkSettings(read.value) : undefined
  const size = (checked?.settings ?? checked?.readable?.settings)?.maxDocumentSize
  const limit = (size === undefined ? undefined : parseSize(size)) ?? MAX_DOCUMENT_BYTES
  // A longer text can't be decoded.
  return Math.min(limit, constants.MAX_STRING_LENGTH)
}

/** Returns true if the bytes are UTF-8 without a byte order mark. Bytes with zeros may be UTF-16. */
const isPlainUtf8 = (bytes: Uint8Array): boolean =>
  isUtf8(bytes) && bytes[0] !== 0xef && !bytes.subarray(0, 4).includes(0)

export function readBytes({ file, kind, realPath }: Entry, maxBytes: number): Read<Uint8Array> {
  const problem = checkKind({ file, kind })
  if (problem !== undefined) return { ok: false, problem }
  let descriptor: number | undefined
  try {
    descriptor = openForReading(realPath)
    return readOpenFile(descriptor, file, maxBytes)
  } catch (error) {
    return { ok: false, problem: toProblem(unreadable.file(reasonOf(error)), file) }
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** Opens a file. If a link or a pipe has replaced the file since it was listed, doesn't follow or wait for it. */
export const openForReading = (realPath: string): number =>
  fs.openSync(
    realPath,
    fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
  )

export function checkKind({ file, kind }: Pick<Entry, "file" | "kind">): Problem | undefined {
  if (kind === "file") return undefined
  if (kind === "outside") return linkOutside(file)
  return toProblem(kind === "nowhere" ? unreadable.brokenLink() : unreadable.wrongKind(kind), file)
}

const ATTEMPTS = 4
/**
 * The maximum time in milliseconds between two steps of a program that writes a file, such as truncating it and writing
 * it.
 */
const SETTLING_MS = 20
/** Programs write at least this many bytes at once, so a smaller file is complete. */
const PART_BYTES = 4096

function readOpenFile(descriptor: number, file: string, maxBytes: number): Read<Uint8Array> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = fs.fstatSync(descriptor)
    if (!before.isFile()) return { ok: false, problem: toProblem(unreadable.wrongKind("other"), file) }
    if (before.size > maxBytes)
      return { ok: false, problem: toProblem(unreadable.tooLarge(before.size, maxBytes), file) }
    // Modification times may be coarse and hide another write, so wait if the file was just modified. Ignore times in
    // the future.
    const age = Date.now() - before.mtimeMs
    const isFresh = age >= 0 && age < SETTLING_MS
    if (isFresh && (before.size === 0 || before.size >= PART_BYTES)) {
      // Round up: the clock counts whole milliseconds, and a shorter pause might not be enough.
      pause(Math.ceil(SETTLING_MS - age))
      continue
    }
    // One extra byte shows whether the file has grown.
    const buffer = new Uint8Array(before.size + 1)
    const length = fill(descriptor, buffer)
    const after = fs.fstatSync(descriptor)
    const isUnchanged =
      length === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs
    if (isUnchanged) return { ok: true, value: buffer.subarray(0, length) }
  }
  return { ok: false, problem: toProblem(unreadable.busy(), file) }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function fill(descriptor: number, buffer: Uint8Array): number {
  let length = 0
  while (length < buffer.length) {
    const count = fs.readSync(descriptor, buffer, length, buffer.length - length, length)
    if (count === 0) break
    length += count
  }
  return length
}

export const linkOutside = (file: string): Problem => toProblem(messages["link-outside"].link(), file)

type NameCheck = (name: string, file: string) => readonly Problem[]

/**
 * Creates a check of the names in one directory. Two names must differ in more than case. `what` is, for example, "a
 * script".
 */
export function createNameCheck(code: "instance-name" | "script-name", what: string): NameCheck {
  const byKey = new Map<string, string>()
  return (name, file) => {
    const reason = checkFreeName(name)
    if (reason !== undefined) return [toProblem(messages[code].invalid(name, what, reason), file)]
    const twin = byKey.get(nameKey(name))
    byKey.set(nameKey(name), twin ?? name)
    return twin === undefined ? [] : [toProblem(messages[code].twins(twin, name), file)]
  }
}

/** The maximum size of request bodies, which are kept in memory. */
const MAX_BODY_FILE_BYTES = 256 * 1024 * 1024

/** Reads a regular file by its path from the root, which may contain `..`. Throws `file-unreadable` or `link-outside`. */
export function readProjectFile(root: string, path: string, maxBytes = MAX_BODY_FILE_BYTES): Uint8Array {
  const entry = findEntry(root, path)
  const read = entry.ok ? readBytes(entry.value, maxBytes) : entry
  if (read.ok) return read.value
  throw new CallsheetError(inFile(read.problem, path))
}

/** Returns the reason why a file can't be sent as a body, if any. Doesn't open the file. */
export function checkProjectFile(root: string, path: string): Finding | undefined {
  const entry = findEntry(root, path)
  const problem = entry.ok ? checkKind(entry.value) : entry.problem
  return problem === undefined ? undefined : inFile(problem, path)
}

export type EntryResult =
  | { readonly ok: true; readonly value: Entry }
  | { readonly ok: false; readonly problem: Finding }

/** Finds a regular file by its path from the root, which may contain `..`. */
export function findEntry(root: string, path: string, unsaved?: UnsavedTexts): EntryResult {
  const outside = { ok: false, problem: messages["link-outside"].path() } as const
  if (leadsOut(system, path)) return outside
  const project = openProjectFolder(root, unsaved)
  return findIn(project, path, [{ realPath: project.realRoot }])
}

/** Finds a regular file by its path from the root, in one of the directories. */
export function findIn(
  { root, unsaved }: ProjectFolder,
  path: string,
  folders: readonly { readonly realPath: string }[],
): EntryResult {
  try {
    if (path === "" || path.includes("\0")) throw new Error("no path")
    const realPath = fs.realpathSync(join(root, normalize(path)))
    if (!folders.some((folder) => isInFolder(folder.realPath, realPath)))
      return { ok: false, problem: messages["link-outside"].path() }
    const kind = kindOf(fs.statSync(realPath))
    return { ok: true, value: { name: path, file: path, kind, realPath, unsaved: unsaved?.get(realPath) } }
  } catch (error) {
    return { ok: false, problem: messages["file-unreadable"].file(reasonOf(error)) }
  }
}
