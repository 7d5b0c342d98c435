// Finds and reads text files of the project by exact names. Saves, removes and moves a file only if it hasn't changed
// since the caller read it. Follows links only inside the project.

import { isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { dirname } from "node:path"
import { CallsheetError, decodeText, nameKey } from "@callsheet/format"
import { inFile, messages } from "../messages.ts"
import {
  isInFolder,
  linkOutside,
  listFolder,
  MAX_FILE_BYTES,
  readBytes,
  rootEntry,
  type Entry,
  type Listing,
  type ProjectFolder,
} from "../read/project-folder.ts"
import { openProject } from "../read/read-project.ts"
import { editSteps, type TextEdit } from "../schema/apply-text-edits.ts"
import { changeProject, type Changed, type ChangeSet, type WriteOptions } from "../write/change-project.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import { ensureFolders, foldersOf, removeIfEmpty, type WriteScope } from "../write/write-scope.ts"

export interface TextPlace {
  /** The path from the root, with `/`. Its names must already be checked. */
  readonly file: string
  /** The directory that links must not leave, as a path from the root. By default, the project. */
  readonly within?: string
}

export interface TextFile {
  readonly text: string
  readonly etag: string
}

interface StoredText extends TextFile {
  readonly bytes: Uint8Array
  readonly hasMark: boolean
}

const etagOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Encodes the new text of a file. Keeps the byte order mark of the current text. */
const bytesOf = (text: string, before: StoredText | undefined): Uint8Array =>
  new TextEncoder().encode(before?.hasMark === true ? `\ufeff${text}` : text)

/**
 * Reads a file, or returns undefined if it doesn't exist. Throws `link-outside`, `file-encoding` and `file-unreadable`.
 * A file that is too large or not regular is unreadable.
 */
function findText(project: ProjectFolder, place: TextPlace): StoredText | undefined {
  const { file } = place
  const entry = findEntry(project, place)
  if (entry === undefined) return undefined
  const read = readBytes(entry, MAX_FILE_BYTES)
  if (!read.ok) throw new CallsheetError(inFile(read.problem, file))
  const bytes = read.value
  const decoded = decodeText(bytes)
  if (!decoded.ok) throw new CallsheetError(inFile(decoded.finding, file))
  return { text: decoded.text, etag: etagOf(bytes), bytes, hasMark: hasMark(bytes) }
}

/** Reads a file as `findText` does, without its bytes. */
export function readTextFile(root: string, place: TextPlace): TextFile | undefined {
  const found = findText(openProject(root), place)
  return found === undefined ? undefined : { text: found.text, etag: found.etag }
}

/** Returns whether bytes have a byte order mark, which `decodeText` removes. */
const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && isUtf8(bytes)

/** Finds the entry with exactly this name, even if the file system ignores case. Throws `link-outside`. */
function findEntry(project: ProjectFolder, { file, within }: TextPlace): Entry | undefined {
  if (dirname(file) === ".") return rootEntry(project, file)
  // Throws if a directory on the path is outside the project.
  const folder = nearestFolder(project, dirname(file))
  const entry = listed(project, dirname(file)).entries.find((one) => one.file === file)
  if (within === undefined) return entry
  const outer = listed(project, within).realPath
  const inner = entry?.kind === "file" ? entry.realPath : folder
  // A missing outer directory has no contents yet.
  const isWithin = outer === undefined || inner === undefined || isInFolder(outer, inner)
  if (!isWithin) throw new CallsheetError(inFile(linkOutside(file), file))
  return entry
}

function nearestFolder(project: ProjectFolder, folder: string): string | undefined {
  for (let here = folder; here !== "."; here = dirname(here)) {
    const { realPath } = listed(project, here)
    if (realPath !== undefined) return realPath
  }
  return undefined
}

function listed(project: ProjectFolder, folder: string): Listing {
  const listing = listFolder(project, folder)
  if (listing.problem !== undefined) throw new CallsheetError(inFile(listing.problem, folder))
  return listing
}

/** Returns another file whose path some file systems can't distinguish from this one, for example by case. */
function findTwin(project: ProjectFolder, file: string): string | undefined {
  const names = file.split("/")
  for (const [index, name] of names.entries()) {
    const { entries } = index === 0 ? { entries: [] } : listed(project, names.slice(0, index).join("/"))
    if (index === 0 || entries.some((one) => one.name === name)) continue
    return entries.find((one) => nameKey(one.name) === nameKey(name))?.file
  }
  return undefined
}

/** Throws if a file system that ignores case would confuse another file with this one. */
function requireNoTwin(project: ProjectFolder, file: string): void {
  const twin = findTwin(project, file)
  if (twin !== undefined) throw new CallsheetError(messages["file-twin"].twins(file, twin))
}

interface TextChanged {
  readonly do: "changed"
  readonly current: TextFile | null
}
interface Done<D extends string> {
  readonly do: D
  readonly etag: string
}

const unchanged = <R>(title: string, result: R): ChangeSet<R> => ({
  change: { title, steps: [] },
  result,
})

const changed = (title: string, now: StoredText | undefined): ChangeSet<TextChanged> =>
  unchanged(title, { do: "changed", current: now === undefined ? null : { text: now.text, etag: now.etag } })

interface TextRequest extends TextPlace {
  readonly root: string
  /** The ETag of the file that the caller read, or null if the file didn't exist. */
  readonly etag: string | null
}

interface SaveTextRequest extends TextRequest {
  /** The new text without a byte order mark. A file that has such a mark keeps it. */
  readonly text: string
}

/**
 * Saves a file. If the file already has this text, any ETag is accepted. Throws `file-twin` and errors of
 * `readTextFile` and `changeProject`.
 */
export function saveTextFile(
  request: SaveTextRequest,
  options: WriteOptions = {},
): Promise<(Done<"saved"> | TextChanged) & Changed> {
  const { root, file } = request
  const makeChanges = (scope: WriteScope) => makeSaveChanges(scope, request)
  return changeProject({ root, folders: foldersOf(file), makeChanges }, options)
}

function makeSaveChanges(
  scope: WriteScope,
  request: SaveTextRequest,
): ChangeSet<Done<"saved"> | TextChanged> {
  const { file, etag } = request
  const title = `save ${JSON.stringify(file)}`
  const before = findText(scope.project, request)
  const bytes = bytesOf(request.text, before)
  if (before !== undefined && Buffer.compare(before.bytes, bytes) === 0)
    return unchanged(title, { do: "saved", etag: before.etag })
  if ((before?.etag ?? null) !== etag) return changed(title, before)
  if (before === undefined) requireNoTwin(scope.project, file)
  ensureFolders(scope, file)
  const step = { do: "replace", file, bytes, before: before?.bytes, isSecret: false } as const
  return { change: { title, steps: [step] }, result: { do: "saved", etag: etagOf(bytes) } }
}

/**
 * Removes a file or a link, but not the target of the link. Then removes directories that are now empty. Throws like
 * `saveTextFile`.
 */
export function removeTextFile(
  request: TextRequest & { readonly along?: readonly string[] },
  options: WriteOptions = {},
): Promise<({ readonly do: "removed" } | TextChanged) & Changed> {
  const { root, file, etag, along = [] } = request
  const files = [...along, file]
  const makeChanges = ({ project }: WriteScope): ChangeSet<{ readonly do: "removed" } | TextChanged> => {
    const title = `remove ${JSON.stringify(file)}`
    const before = findText(project, request)
    if (before === undefined || before.etag !== etag) return changed(title, before)
    const steps = files.map((path) => ({ do: "remove", file: path }) as const)
    return { change: { title, steps }, result: { do: "removed" } }
  }
  const afterwards = (scope: WriteScope) => {
    for (const path of [file, ...along]) removeEmptyFolders(scope, path)
  }
  const folders = [".", ...new Set(files.map((path) => dirname(path)))]
  return changeProject({ root, folders, makeChanges, afterwards }, options)
}

/** Directories up to this depth are kept even if they are empty: `apis/shop/requests`, `apis/workflow/scripts`. */
const KEPT_DEPTH = 3

/** Removes the directories that a removed file left empty. Callers must lock the project. */
function removeEmptyFolders(scope: WriteScope, file: string): void {
  for (const folder of foldersOf(file).toReversed())
    if (folder.split("/").length > KEPT_DEPTH) removeIfEmpty(scope, folder)
}

export interface MoveTextRequest {
  readonly root: string
  readonly from: TextPlace
  readonly to: TextPlace
  readonly etag: string | null
  /** Another directory to rename within its parent, if it exists. Both paths start at the root. */
  readonly along?: { readonly from: string; readonly to: string } | undefined
  /** The new text, without a byte order mark. By default, the current text. */
  readonly text?: string
  readonly edits?: readonly TextEdit[]
  readonly title: string
}

/** Moves a file. Throws `file-exists`, `file-twin`, `file-changed`, and the errors of `readTextFile` and `changeProject`. */
export function moveTextFile(
  request: MoveTextRequest,
  options: WriteOptions = {},
): Promise<(Done<"moved"> | TextChanged) & Changed> {
  const { root, from, to, edits = [] } = request
  const folders = [...new Set([".", ...[from, to, ...edits].map(({ file }) => dirname(file))])]
  const makeChanges = (scope: WriteScope) => makeMoveChanges(scope, request)
  const afterwards = (scope: WriteScope) => removeEmptyFolders(scope, from.file)
  return changeProject({ root, folders, makeChanges, afterwards }, options)
}

function makeMoveChanges(
  scope: WriteScope,
  request: MoveTextRequest,
): ChangeSet<Done<"moved"> | TextChanged> {
  const { from, to, etag, along, title, text, edits = [] } = request
  const before = findText(scope.project, from)
  if (before === undefined || before.etag !== etag) return changed(title, before)
  const bytes = text === undefined || text === before.text ? before.bytes : bytesOf(text, before)
  const result = { do: "moved", etag: etagOf(bytes) } as const
  if (from.file === to.file) return unchanged(title, result)
  requireFree(scope.project, bytes === before.bytes ? from.file : undefined, to)
  ensureFolders(scope, to.file)
  const isMove = dirname(from.file) === dirname(to.file) && bytes === before.bytes
  const steps: readonly ChangeStep[] = isMove
    ? [{ do: "move", file: from.file, to: to.file }]
    : [
        { do: "replace", file: to.file, bytes, before: undefined, isSecret: false },
        { do: "remove", file: from.file },
      ]
  const all = [...steps, ...moveAlong(scope, along), ...editSteps(scope, edits)]
  return { change: { title, steps: all }, result }
}

/** Throws `file-exists` or `file-twin` if `moveTextFile` would. */
export function requireFreeName(root: string, from: TextPlace, to: TextPlace): void {
  requireFree(openProject(root), from.file, to)
}

function moveAlong({ project }: WriteScope, along: MoveTextRequest["along"]): readonly ChangeStep[] {
  if (along === undefined || findEntry(project, { file: along.from }) === undefined) return []
  requireFree(project, along.from, { file: along.to })
  return [{ do: "move", file: along.from, to: along.to }]
}

/** Throws if a name is taken. The new name may differ from the old one only in case. */
function requireFree(project: ProjectFolder, from: string | undefined, to: TextPlace): void {
  if (from !== undefined && findTwin(project, to.file) === from) return
  requireNoTwin(project, to.file)
  if (findEntry(project, to) !== undefined) throw new CallsheetError(messages["file-exists"].exists(to.file))
}
