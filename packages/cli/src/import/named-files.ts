// Reads files that a collection names. Every such file is read here, so that a stranger's collection can't copy a private
// file into a project, from where git and the first request would take it.

import { existsSync, realpathSync, statSync } from "node:fs"
import * as system from "node:path"
import { basename, dirname, isAbsolute, join, normalize, relative, resolve } from "node:path"
import { attempt, CallsheetError, withSlashes, type ReadFile, type SourceFile } from "@callsheet/format"
import {
  interopMessages,
  isPrivateContent,
  isPrivatePath,
  type GivenDocument,
  type SourceBytes,
} from "@callsheet/interop"
import { createFileReader, isInFolder, openProject, readProjectFile } from "@callsheet/project"
import { messages } from "../messages.ts"
import { printable } from "../text/printable.ts"

export const MAX_COPIED_BYTES = 16 * 1024 * 1024

export const isUrl = (word: string): boolean => /^(?:https?|ftp|file):\/\//i.test(word)

/** Returns the real directory of `--files`. Throws `usage` if there is none. */
export function allowedFolder(given: string | undefined, cwd: string): string | undefined {
  if (given === undefined) return undefined
  const real = attempt(() => realpathSync(resolve(cwd, given)))
  if (real === undefined || !statSync(real).isDirectory())
    throw new CallsheetError(messages.usage.filesDirectory(given))
  return real
}

interface NamedFiles {
  /** The directory of the source. */
  readonly folder: string
  /** The real directory whose files the user allows. Without one, no file is read. */
  readonly allowed: string | undefined
  readonly cwd: string
}

/**
 * Reads a file to send, by its path from the directory of the source or from the allowed directory. Its real path must be
 * inside the allowed directory.
 */
export function readNamed({ folder, allowed, cwd }: NamedFiles, path: string): SourceBytes {
  const steps = path.split(/[/\\]/)
  if (path === "" || /^[/\\~]|^[A-Za-z]:|\0/.test(path) || steps.includes(".."))
    return { ok: false, reason: "outside" }
  if (isPrivatePath(path)) return { ok: false, reason: "private" }
  if (allowed === undefined) return { ok: false, reason: "notAllowed" }
  const found = [folder, allowed].map((from) => attempt(() => realpathSync(join(from, normalize(path)))))
  const real = found.find((one) => one !== undefined && isInFolder(allowed, one))
  if (real === undefined)
    return { ok: false, reason: found.some((one) => one !== undefined) ? "notAllowed" : "unreadable" }
  // A link may have an innocent name, and the allowed directory itself may be private. On Windows, it may be elsewhere.
  const fromHere = relative(cwd, real)
  if (isPrivatePath(isAbsolute(fromHere) ? relative(dirname(allowed), real) : fromHere))
    return { ok: false, reason: "private" }
  const read = attempt(() => readProjectFile(allowed, relative(allowed, real), MAX_COPIED_BYTES))
  if (read === undefined) return { ok: false, reason: "unreadable" }
  return isPrivateContent(read) ? { ok: false, reason: "private" } : { ok: true, bytes: read }
}

/** Reads the files that a document refers to, below the directory. Refuses private files. */
function documentReader(folder: string): ReadFile {
  const read = createFileReader(openProject(folder))
  return (path) => {
    const found = isPrivateBelow(folder, path) ? undefined : read(path)
    if (found?.ok === false) return found
    const bytes = found && (found.value.bytes ?? new TextEncoder().encode(found.value.text))
    return found === undefined || bytes === undefined || isPrivateContent(bytes)
      ? { ok: false, problem: interopMessages["import-source"].privateFile(path) }
      : found
  }
}

function isPrivateBelow(folder: string, path: string): boolean {
  const root = realpathSync(folder)
  const real = attempt(() => realpathSync(join(root, path)))
  return isPrivatePath(path) || (real !== undefined && isPrivatePath(relative(root, real)))
}

/** Reads a file that the user names. Its directory may be missing, too, which is not a missing project. */
export function readGiven(given: string, path: string): SourceFile {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const read = createFileReader(openProject(folder))(relative(folder, path))
  if (read.ok) return read.value
  throw new CallsheetError({ ...read.problem, message: `${printable(given)}: ${read.problem.message}` })
}

/** Reads the document that the user names. Its other files must be below its directory. */
export function openDocument(given: string, real: string): GivenDocument {
  if (isUrl(given)) throw new CallsheetError(interopMessages["import-source"].url())
  const { text } = readGiven(given, real)
  return { file: basename(real), text, readFile: documentReader(dirname(real)) }
}

/** Reads a document that the source names. Its other files must be below the directory of the source, too. */
export function openNear(folder: string, path: string): GivenDocument | undefined {
  const file = withSlashes(normalize(path), system)
  const read = isPrivateBelow(folder, file) ? undefined : createFileReader(openProject(folder))(file)
  return read?.ok === true ? { file, text: read.value.text, readFile: documentReader(folder) } : undefined
}
