// Reads the files of scripts as the run sees them. A process asks the runner only once per file.

import { getOrCreate } from "@callsheet/format"
import fs from "node:fs"
import Module from "node:module"
import { ownFiles } from "../../own-files/own-files.ts"
import type { Channel } from "./channel.ts"

export interface SourceReader {
  /** Returns the source of a file. Throws if it can't be read. */
  readonly readSource: (file: string) => string
  /** Returns the file of an import in this run. `resolve` finds the file on disk now. */
  readonly resolveImport: (importer: string, specifier: string, resolve: () => string) => string
  /** Creates a jiti that reads project files as the run sees them. */
  readonly createJiti: typeof import("jiti").createJiti
}

/** Creates the reader. From then on, Node's `require` reads project files as the run sees them, too. */
export function createSourceReader({ ask }: Pick<Channel, "ask">): SourceReader {
  const texts = new Map<string, string>()
  const locations = new Map<string, string>()
  const readSource = (file: string): string =>
    getOrCreate(texts, file, () => ask({ type: "source", file }) as string)
  const resolveImport: SourceReader["resolveImport"] = (importer, specifier, resolve) =>
    getOrCreate(locations, `${importer}\n${specifier}`, () => {
      const question = { type: "found", importer, specifier } as const
      return (ask(question) ?? ask({ ...question, found: resolve() })) as string
    })
  guardNode({ readSource, resolveImport })
  const { createJiti } = loadJiti(readSource)
  return { readSource, resolveImport, createJiti }
}

type Load = (this: unknown, ...asked: readonly unknown[]) => unknown

/** Loads jiti with an `fs` that reads the run's version of files. Scripts still read files from disk. */
function loadJiti(readSource: SourceReader["readSource"]): typeof import("jiti") {
  const own = Reflect.get(Module, "_load") as Load
  const jitiFs = Object.assign(Object.create(fs) as object, { readFileSync: readerOf(isOwnFile, readSource) })
  const load: Load = (...asked) =>
    asked[0] === "node:fs" || asked[0] === "fs" ? jitiFs : Reflect.apply(own, Module, asked)
  Reflect.set(Module, "_load", load)
  try {
    return ownFiles.loadPackage("jiti") as typeof import("jiti")
  } finally {
    Reflect.set(Module, "_load", own)
  }
}

/** Reports each project file that Node's `require` loads. */
function guardNode({ readSource, resolveImport }: Pick<SourceReader, "readSource" | "resolveImport">): void {
  const prototype = Module.prototype as object
  const own = Reflect.get(prototype, "load") as Load
  const load: Load = function (this: unknown, file) {
    if (typeof file !== "string" || isInPackage(withoutLinks(file))) return Reflect.apply(own, this, [file])
    // An addon isn't text, so Node opens it itself.
    if (file.endsWith(".node")) resolveImport(file, file, () => file)
    else readSource(file)
    return withReads(
      readerOf((asked) => asked === file, readSource),
      () => Reflect.apply(own, this, [file]),
    )
  }
  Reflect.set(prototype, "load", load)
}

type ReadFileSync = typeof fs.readFileSync

function readerOf(isSeen: (file: string) => boolean, readSource: SourceReader["readSource"]): ReadFileSync {
  const own = fs.readFileSync
  const read = (...asked: Parameters<ReadFileSync>): ReturnType<ReadFileSync> => {
    const [file, encoding] = asked
    return encoding === "utf8" && typeof file === "string" && isSeen(file)
      ? readSource(file)
      : Reflect.apply(own, fs, asked)
  }
  return read as ReadFileSync
}

/** Replaces `fs.readFileSync` during `load`, because Node reads modules with it. */
function withReads<T>(read: ReadFileSync, load: () => T): T {
  const own = fs.readFileSync
  // If a script has frozen `fs`, its process is not reused.
  if (!Reflect.set(fs, "readFileSync", read)) return load()
  try {
    return load()
  } finally {
    Reflect.set(fs, "readFileSync", own)
  }
}

export const isInPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)

/**
 * Resolves the links in a package's path. If a package is a link to a directory of the project, its modules count as
 * the project's own.
 */
export function withoutLinks(file: string): string {
  if (!isInPackage(file)) return file
  try {
    return fs.realpathSync(file)
  } catch {
    return file
  }
}

const isOwnFile = (file: string): boolean =>
  !isInPackage(withoutLinks(file)) && !/[\\/](?:package|tsconfig)\.json$/.test(file)
