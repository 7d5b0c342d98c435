// The files that the compiler may read: those of the project, installed packages, settings above the project, and its
// own libraries.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { attempt } from "@callsheet/format"
import { isInFolder } from "@callsheet/project"

/** Returns what a path contains, for the compiler. Answers as if all other files didn't exist. */
export interface CompilerFiles {
  readonly readFile: (path: string) => { readonly content: string | null }
  readonly fileExists: (path: string) => boolean
  readonly directoryExists: (path: string) => boolean
  readonly getAccessibleEntries: (path: string) => Listing
  readonly realpath: (path: string) => string
}

interface Listing {
  readonly files: readonly string[]
  readonly directories: readonly string[]
}

interface Bounds {
  /** The root of the project, with all links resolved. */
  readonly root: string
  /** The directory of the compiler's own libraries. */
  readonly libraries: string
  /** Texts that replace files on disk, by absolute path. */
  readonly texts: ReadonlyMap<string, string>
}

const MAX_BYTES = 8 * 1024 * 1024
const readable = /\.(?:[cm]?[jt]sx?|json)$/

export function createCompilerFiles({ root, libraries, texts }: Bounds): CompilerFiles {
  const above = foldersAbove(root)
  const roots = [root, realpathSync(libraries), ...above.map((folder) => join(folder, "node_modules"))]
  const isAllowed = (real: string): boolean =>
    roots.some((folder) => isInFolder(folder, real)) ||
    (above.includes(dirname(real)) && /^tsconfig.*\.json$/.test(basename(real)))
  /** Resolves links. Undefined outside of the allowed directories. */
  const resolve = (path: string): string | undefined => {
    const real = attempt(() => realpathSync(path))
    return real !== undefined && isAllowed(real) ? real : undefined
  }
  const statsOf = (path: string) => {
    const real = resolve(path)
    return real === undefined ? undefined : attempt(() => statSync(real))
  }
  const isFile = (path: string): boolean => readable.test(path) && statsOf(path)?.isFile() === true
  return {
    readFile: (path) => {
      const text = texts.get(path)
      if (text !== undefined) return { content: text }
      const real = resolve(path)
      if (real === undefined || !isFile(path) || (statsOf(real)?.size ?? Infinity) > MAX_BYTES)
        return { content: null }
      return { content: attempt(() => readFileSync(real, "utf8")) ?? null }
    },
    fileExists: (path) => texts.has(path) || isFile(path),
    directoryExists: (path) =>
      statsOf(path)?.isDirectory() === true || [...texts.keys()].some((file) => file.startsWith(`${path}/`)),
    getAccessibleEntries: (path) => {
      const real = resolve(path)
      const entries = real === undefined ? [] : (attempt(() => readdirSync(real)) ?? [])
      return {
        files: entries.filter((name) => isFile(join(path, name))),
        directories: entries.filter((name) => statsOf(join(path, name))?.isDirectory()),
      }
    },
    realpath: (path) => (texts.has(path) ? path : (resolve(path) ?? path)),
  }
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}
