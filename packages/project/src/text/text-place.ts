// Finds and reads text files of the project by exact names. Follows links only inside the project.

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
  type Entry,
  type Listing,
  type ProjectFolder,
} from "../read/project-folder.ts"
import { openProject } from "../read/read-project.ts"

export interface TextPlace {
  /** The path from the root with `/`. Must consist of checked names. */
  readonly file: string
  /** The directory that links may not leave, as a path from the root. By default, the project. */
  readonly within?: string
}

export interface TextFile {
  readonly text: string
  readonly etag: string
}

export interface FoundText extends TextFile {
  readonly bytes: Uint8Array
  readonly hasMark: boolean
}

export const etagOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Encodes new text for a file and keeps the byte order mark of its current text. */
export const bytesOf = (text: string, before: FoundText | undefined): Uint8Array =>
  new TextEncoder().encode(before?.hasMark === true ? `\ufeff${text}` : text)

/** Finds a file. Throws `file-unreadable`, also for a file that is too large or not regular, `link-outside`, `file-encoding`. */
export function findText(project: ProjectFolder, place: TextPlace): FoundText | undefined {
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

/** Reads a file, if it exists. Throws `file-unreadable`, `file-encoding` and `link-outside`. */
export function readTextFile(root: string, place: TextPlace): TextFile | undefined {
  const found = findText(openProject(root), place)
  return found === undefined ? undefined : { text: found.text, etag: found.etag }
}

/** Returns whether bytes have a byte order mark, which `decodeText` removes. */
const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && isUtf8(bytes)

/** Finds the entry with exactly this name, even if the disk ignores case. Throws `link-outside`. */
export function findEntry(project: ProjectFolder, { file, within }: TextPlace): Entry | undefined {
  // Throws if a directory on the path leads out of the project.
  const folder = nearestFolder(project, dirname(file))
  const entry = listed(project, dirname(file)).entries.find((one) => one.file === file)
  if (within === undefined) return entry
  const outer = listed(project, within).realPath
  const inner = entry?.kind === "file" ? entry.realPath : folder
  // A missing outer directory contains nothing yet.
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

/** Returns the path of another file that some disks can't distinguish from this one, such as by case. */
export function findTwin(project: ProjectFolder, file: string): string | undefined {
  const names = file.split("/")
  for (const [index, name] of names.entries()) {
    const { entries } = index === 0 ? { entries: [] } : listed(project, names.slice(0, index).join("/"))
    if (index === 0 || entries.some((one) => one.name === name)) continue
    return entries.find((one) => nameKey(one.name) === nameKey(name))?.file
  }
  return undefined
}

/** Throws if a disk that ignores case would confuse another file with this one. */
export function requireNoTwin(project: ProjectFolder, file: string): void {
  const twin = findTwin(project, file)
  if (twin !== undefined) throw new CallsheetError(messages["file-twin"].twins(file, twin))
}
