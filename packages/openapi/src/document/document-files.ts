// Opens the files that a document references. Reads and parses each file once, on first use.

import {
  decodePercent,
  type Finding,
  joinBeyond,
  type JsonValue,
  type Problem,
  type ReadFile,
  type SourceFile,
} from "@callsheet/format"
import { type HasMark, marksOfText, mayHideWords } from "./marks.ts"
import type { readInParts } from "./outline-store.ts"
import type { TextReader } from "./read-text-file.ts"
import { messages } from "./messages.ts"

const MAX_FILES = 2000
const MAX_MEBIBYTES = 256

export interface DocumentFile {
  readonly source: SourceFile
  readonly root: JsonValue
  readonly hasMark: HasMark
}

export type OpenedFile =
  | { readonly ok: true; readonly file: DocumentFile }
  /**
   * Returned if a reference fails. `inside` lists the problems in the target file, which are reported once instead of
   * for every reference.
   */
  | { readonly ok: false; readonly problem: Finding; readonly inside: readonly Problem[] }

export type OpenOther = (path: string) => OpenedFile

interface FilesOptions {
  readonly readFile: ReadFile
  readonly parse: TextReader
  /** Returns a file from the store of outlines. */
  readonly readStored: (source: SourceFile) => ReturnType<typeof readInParts>
}

export function createFileOpener(options: FilesOptions): OpenOther {
  const opened = new Map<string, OpenedFile>()
  let total = 0
  const readFile: ReadFile = (path) => {
    const read = options.readFile(path)
    if (read.ok) total += sizeOf(read.value)
    return read
  }
  return (path) => {
    const known = opened.get(path)
    if (known !== undefined) return known
    if (opened.size >= MAX_FILES) return refuseFile(invalid.tooManyFiles(MAX_FILES))
    if (total >= MAX_MEBIBYTES * 1024 * 1024) return refuseFile(invalid.tooLarge(MAX_MEBIBYTES))
    const file = openFile(path, { ...options, readFile })
    opened.set(path, file)
    return file
  }
}

function openFile(path: string, { readFile, parse, readStored }: FilesOptions): OpenedFile {
  const read = readFile(path)
  if (!read.ok) {
    const { code, message, hint } = read.problem
    return { ok: false, problem: { code, message: `${path}: ${message}`, hint }, inside: [] }
  }
  const source = read.value
  const parts = readStored(source)
  if (parts !== undefined)
    return { ok: true, file: { source, root: parts.part.value(), hasMark: parts.hasMark } }
  const parsed = parse(source)
  if (parsed.ok) return { ok: true, file: { source, root: parsed.value, hasMark: marksOfText(source) } }
  return refuseFile(invalid.malformedFile(path), parsed.problems)
}

const sizeOf = ({ bytes, text }: SourceFile): number => bytes?.length ?? text.length

export const refuseFile = (problem: Finding, inside: readonly Problem[] = []): OpenedFile => ({
  ok: false,
  problem,
  inside,
})

/** Matches references to other files in JSON or YAML. A false match only reads one file too many. */
const reference = /\$ref["']?\s*:\s*(?:"([^"#][^"]*)"|'([^'#][^']*)'|([^\s"'#,{}[\]][^\s,{}[\]]*))/g

interface ReadAhead {
  /** The paths of the document and of the files that it refers to, also those that can't be read. */
  readonly files: ReadonlySet<string>
  /** True if one of the other files may mark a value as secret. */
  readonly mayMarkSecrets: boolean
}

/** Reads all referenced files. `readFile` must cache its results. */
export function readAhead(source: SourceFile, readFile: ReadFile): ReadAhead {
  const seen = new Set([source.file])
  const work = [source]
  let total = 0
  // An escape may hide a reference to a file that this function doesn't find.
  let mayMarkSecrets = mayHideWords(source.text)
  for (let file = work.pop(); file !== undefined; file = work.pop()) {
    for (const [, inDouble, inSingle, plain] of file.text.matchAll(reference)) {
      const target = readTarget(inDouble ?? inSingle ?? plain ?? "", file.file)
      if (!target.ok || seen.has(target.file)) continue
      if (seen.size > MAX_FILES || total > MAX_MEBIBYTES * 1024 * 1024)
        return { files: seen, mayMarkSecrets: true }
      seen.add(target.file)
      const read = readFile(target.file)
      if (!read.ok) continue
      total += sizeOf(read.value)
      mayMarkSecrets ||= marksOfText(read.value)("marksSecrets")
      work.push(read.value)
    }
  }
  return { files: seen, mayMarkSecrets }
}

/** A file by its path from the root, and a decoded fragment: a JSON pointer, an anchor, or empty for the whole file. */
type ReadTarget =
  | { readonly ok: true; readonly file: string; readonly fragment: string }
  | { readonly ok: false; readonly problem: Finding }

/** Parses a reference in `file`. It must be relative. */
export function readTarget(reference: string, file: string): ReadTarget {
  const hash = reference.indexOf("#")
  const path = decodePercent(hash === -1 ? reference : reference.slice(0, hash))
  const fragment = decodePercent(hash === -1 ? "" : reference.slice(hash + 1))
  if (path === undefined || fragment === undefined) return refuse(invalid.badEscape())
  if (path === "") return { ok: true, file, fragment }
  if (path.startsWith("/") || path.startsWith("\\") || /^[a-z]:[\\/]/i.test(path) || path.includes("\0"))
    return refuse(outside.outside())
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return refuse(outside.address())
  if (path.includes("\\")) return refuse(invalid.backslash())
  // The reader of the project decides which files outside of it may be read.
  return { ok: true, file: joinBeyond(file, path), fragment }
}

const { "document-invalid": invalid, "link-outside": outside } = messages

const refuse = (problem: Finding): ReadTarget => ({ ok: false, problem })
