// Remembers which compiler the user allowed, by the contents of its files. Runs a private copy of these files, so that
// an installation can't exchange them after the check.

import { hash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import {
  findProgram,
  isPrivateFolder,
  moveFile,
  PrivateFolder,
  projectKey,
  type FoundProgram,
  type ProjectState,
} from "@callsheet/engine"
import { attempt, shapes } from "@callsheet/format"
import { text } from "../calls/names.ts"
import { executable, type InstalledCompiler } from "./find-compiler.ts"

const { object, required, version } = shapes

const permission = object({
  version: required(version, "The format of the file."),
  contents: required(text, "The hash of the compiler's files."),
})

const FOLDER = "compilers"
const MAX_COPIES = 3

export type AllowedCompiler = ReturnType<typeof createAllowedCompiler>

export function createAllowedCompiler({ root, state }: ProjectState) {
  const folder = new PrivateFolder(state, FOLDER)
  const name = `${projectKey(root)}.json`
  let known: { readonly stamp: string; readonly contents: string } | undefined
  return {
    isAllowed: (contents: string): boolean => contents === folder.readJson(name, permission)?.contents,
    /** Remembers the permission. A folder that can't be written to can't take the compiler's copy either. */
    allow: (contents: string | undefined): void => {
      if (contents === undefined) folder.remove(name)
      else folder.write(name, `${JSON.stringify({ version: 1, contents })}\n`)
    },
    /** Returns the hash of all files that decide what the compiler does. Undefined if they aren't a compiler. */
    identify: async (compiler: InstalledCompiler): Promise<string | undefined> => {
      try {
        const files = await listFiles(compiler)
        if (files === undefined) return undefined
        const stamp = files.map((file) => file.stamp).join("\n")
        // Reading the files for each question would take too long.
        if (known?.stamp !== stamp) known = { stamp, contents: hashOf(await readFiles(files)) }
        return known.contents
      } catch {
        return undefined
      }
    },
    /** Returns the program of a copy with these contents. Undefined if the compiler changed, or can't be copied. */
    open: async (compiler: InstalledCompiler, contents: string): Promise<FoundProgram | undefined> => {
      const copy = join(state, FOLDER, contents)
      try {
        if (!isPrivateFolder(join(state, FOLDER))) return undefined
        if (!existsSync(copy)) {
          const files = await readFiles((await listFiles(compiler)) ?? [])
          if (hashOf(files) !== contents) return undefined
          writeCopy(files, copy)
          removeOldCopies(join(state, FOLDER))
        }
        return findProgram(join(copy, executable), { root, processEnvironment: {} }).program
      } catch {
        return undefined
      }
    },
  }
}

interface ListedFile {
  readonly path: string
  /** The name in the copy. Manifests aren't copied. */
  readonly name?: string
}

interface CompilerFile extends ListedFile {
  readonly bytes: Buffer
  readonly isExecutable: boolean
}

const MAX_FILES = 1_000
const MAX_BYTES = 256 * 1024 * 1024

/** Lists the files with their stamps, which change if the contents change. Undefined if they aren't a compiler. */
async function listFiles({ folder, manifests }: InstalledCompiler) {
  const names = (await readdir(folder)).sort()
  if (names.length > MAX_FILES || !names.includes(executable)) return undefined
  const paths: readonly ListedFile[] = [
    ...manifests.map((path) => ({ path })),
    ...names.map((name) => ({ path: join(folder, name), name })),
  ]
  const listed: (ListedFile & { readonly stamp: string; readonly mode: number })[] = []
  let bytes = 0
  for (const file of paths) {
    const stats = await stat(file.path)
    if (!stats.isFile()) continue
    bytes += stats.size
    const { mode, size, mtimeMs, ctimeMs, ino, dev } = stats
    listed.push({ ...file, mode, stamp: JSON.stringify([file.path, mode, size, mtimeMs, ctimeMs, ino, dev]) })
  }
  return bytes > MAX_BYTES ? undefined : listed
}

const readFiles = (
  files: readonly (ListedFile & { readonly mode: number })[],
): Promise<readonly CompilerFile[]> =>
  Promise.all(
    files.map(async ({ path, name, mode }) => ({
      path,
      ...(name === undefined ? {} : { name }),
      bytes: await readFile(path),
      isExecutable: (mode & 0o100) !== 0,
    })),
  )

const hashOf = (files: readonly CompilerFile[]): string =>
  hash(
    "sha256",
    JSON.stringify(
      files.map(({ name = null, isExecutable, bytes }) => [name, isExecutable, hash("sha256", bytes)]),
    ),
  )

/** Writes a whole copy or nothing. Another process may write the same one. */
function writeCopy(files: readonly CompilerFile[], copy: string): void {
  const temporary = mkdtempSync(`${copy}-`)
  try {
    for (const { name, bytes, isExecutable } of files)
      if (name !== undefined)
        writeFileSync(join(temporary, name), bytes, { mode: isExecutable ? 0o700 : 0o600, flag: "wx" })
    moveFile(temporary, copy)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

/** Keeps the copies that were written last, for other projects. A running one can't be removed on Windows. */
function removeOldCopies(folder: string): void {
  const copies = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}/.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, writtenAtMs: attempt(() => statSync(path).mtimeMs) ?? 0 }))
    .sort((one, other) => other.writtenAtMs - one.writtenAtMs)
  for (const { path } of copies.slice(MAX_COPIES))
    attempt(() => rmSync(path, { recursive: true, force: true }))
}
