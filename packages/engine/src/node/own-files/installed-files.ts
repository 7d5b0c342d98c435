// The files of callsheet as npm installs them, or in the repository.

import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { attempt } from "@callsheet/format"

export interface OwnFiles {
  /** Reads a file. Its path is absolute, such as one next to `import.meta.url`. */
  readonly read: (file: string) => Buffer
  /** Returns the absolute paths of the files below a directory. Empty if the directory doesn't exist. */
  readonly list: (folder: string) => readonly string[]
  /** Loads a package that is part of callsheet, or installed next to it. Undefined if there is none. */
  readonly loadPackage: (name: string) => unknown
  /** Reads a file of a package that is part of callsheet. */
  readonly readFromPackage: (name: string, path: string) => string
  /** Returns what `new Worker` needs to run a bundled entry. */
  readonly threadFor: (entry: URL) => ThreadStart
  /** Returns the arguments with which `process.execPath` runs a JavaScript file that isn't callsheet's. */
  readonly wordsToRun: (file: string) => readonly string[]
}

interface ThreadStart {
  readonly source: URL | string
  readonly options: { readonly eval?: boolean; readonly argv?: string[] }
}

const require = createRequire(import.meta.url)

export const installedFiles: OwnFiles = {
  read: (file) => readFileSync(file),
  list: (folder) => attempt(() => filesBelow(folder)) ?? [],
  // `import` would scan jiti for the names of its exports, which takes longer than running it.
  loadPackage: (name) => {
    const path = attempt(() => require.resolve(name))
    return path === undefined ? undefined : (require(path) as unknown)
  },
  readFromPackage: (name, path) =>
    readFileSync(join(dirname(require.resolve(`${name}/package.json`)), path), "utf8"),
  threadFor: (entry) => ({ source: entry, options: {} }),
  wordsToRun: (file) => [file],
}

/** Lists one directory at a time: if Yarn keeps the package in an archive, `recursive` returns wrong parents. */
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
