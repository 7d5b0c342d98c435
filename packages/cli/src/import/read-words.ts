// Reads the sources of an import: standard input, files and directories.

import { realpathSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { attempt, CallsheetError, type SourceFile } from "@callsheet/format"
import { interopMessages, isPrivatePath, type SourceDirectory } from "@callsheet/interop"
import { listFolder, openProjectFolder, readText, type Entry } from "@callsheet/project"
import { formatSize } from "../text/measures.ts"
import { isUrl, MAX_COPIED_BYTES, readGiven } from "./named-files.ts"

const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
const MAX_FILES = 20_000
const MAX_DEPTH = 100

export const realPathOf = (word: string | undefined, cwd: string): string =>
  word === undefined
    ? join(cwd, "-")
    : (attempt(() => realpathSync(resolve(cwd, word))) ?? resolve(cwd, word))

const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) === true

/** Returns the directory whose files the source may name: the directory itself, or that of the file. */
export function folderOf(word: string | undefined, cwd: string): string {
  const path = realPathOf(word, cwd)
  return isDirectory(path) ? path : dirname(path)
}

export async function readWords(
  words: readonly string[],
  cwd: string,
): Promise<readonly (SourceFile | SourceDirectory)[]> {
  const sources: (SourceFile | SourceDirectory)[] = []
  for (const word of words) {
    if (word === "-") {
      const { readStandardInput } = await import("../args/standard-input.ts")
      sources.push({ file: "-", text: await readStandardInput("the source", MAX_COPIED_BYTES) })
    } else sources.push(readSource(word, cwd))
  }
  return sources
}

/** Reads a file or directory by the path as given. The user chose it, so it may be a link. */
function readSource(word: string, cwd: string): SourceFile | SourceDirectory {
  if (isUrl(word)) throw new CallsheetError(interopMessages["import-source"].url())
  const path = realPathOf(word, cwd)
  if (isDirectory(path)) return readDirectory(word.replace(/(?<=[^/\\])[/\\]+$/, ""), path)
  return { file: word, text: readGiven(word, path).text }
}

/** Reads the files that a collection consists of. Links are followed only inside the directory. */
function readDirectory(word: string, path: string): SourceDirectory {
  const folder = openProjectFolder(path)
  const files: SourceFile[] = []
  const unread: { file: string; reason: "outside" | "private" | "unreadable" }[] = []
  const seen = new Set<string>()
  let bytes = 0
  const refuse = (max: string): never => {
    throw new CallsheetError(interopMessages["import-source"].large(word, max))
  }
  const visit = (entry: Entry, depth: number): void => {
    const { name, kind, realPath } = entry
    const file = `${word}/${entry.file.slice(2)}`
    if (kind === "folder") {
      // A link to a directory around it would never end.
      if (name === "node_modules" || seen.has(realPath)) return
      seen.add(realPath)
      if (depth > MAX_DEPTH) throw new CallsheetError(interopMessages["import-source"].deep(word, MAX_DEPTH))
      for (const inner of listFolder(folder, entry.file).entries) visit(inner, depth + 1)
    } else if (/\.(?:bru|ya?ml)$|^bruno\.json$/.test(name) || kind === "outside") {
      // A link may lead to a private file with any name.
      const isPrivate = kind !== "outside" && isPrivatePath(relative(path, realPath))
      const read = readText(entry)
      if (isPrivate) unread.push({ file, reason: "private" })
      else if (!read.ok) unread.push({ file, reason: kind === "outside" ? "outside" : "unreadable" })
      else {
        files.push({ file, text: read.value.text })
        bytes += read.value.text.length
        if (files.length > MAX_FILES) refuse(`${MAX_FILES} files`)
        if (bytes > MAX_DIRECTORY_BYTES) refuse(formatSize(MAX_DIRECTORY_BYTES))
      }
    }
  }
  visit({ name: "", file: ".", kind: "folder", realPath: path }, 0)
  return { file: word, files, unread }
}
