// The paths of what callsheet writes outside of a change, such as reports. A path that a project file names stays in the
// project; only a caller's path may lead anywhere. The two types keep them apart.

import * as fs from "node:fs"
import { join, resolve } from "node:path"
import { CallsheetError, checkWrittenPath, writtenSegments } from "@callsheet/format"
import { messages } from "../messages.ts"
import { openForReading } from "../read/project-folder.ts"
import { openProject } from "../read/read-project.ts"
import { ensureFolders, foldersOf, locateEntry, nodeDisk, type WriteScope } from "./write-scope.ts"

declare const callers: unique symbol

/** A path from the person or program that started callsheet. It may lead anywhere. */
export class CallerPath {
  /** Exists only for the compiler, so that no other object has this type. */
  declare readonly [callers]: true
  readonly path: string
  /** The path as the caller wrote it. */
  readonly shown: string

  private constructor(path: string, shown: string) {
    this.path = path
    this.shown = shown
  }

  static from(cwd: string, shown: string): CallerPath {
    return new CallerPath(resolve(cwd, shown), shown)
  }
}

/**
 * Returns whether callsheet wrote an existing file, by its first kilobyte, or an existing directory, by the names in it,
 * one per line. Only then, it may be replaced.
 */
export type IsReplaceable = (content: string) => boolean

/** A path that a project file names. */
export class ProjectPath {
  readonly #scope: WriteScope
  readonly #file: string
  readonly #isOwn: IsReplaceable
  /** The absolute path. It has no links. */
  readonly path: string
  /** The path as the project file names it. */
  readonly shown: string

  /** Throws `path-refused` if a project file can't name the path. Doesn't look for the file. */
  constructor(root: string, shown: string, isOwn: IsReplaceable) {
    const refusal = checkWrittenPath(shown)
    if (refusal !== undefined) throw new CallsheetError(refusal)
    const project = openProject(root)
    this.#scope = { project, disk: nodeDisk, made: [] }
    this.#file = writtenSegments(shown).join("/")
    this.#isOwn = isOwn
    this.path = join(project.realRoot, this.#file)
    this.shown = shown
  }

  /** Finds the file. Throws `path-refused` if a link leads to it, or if callsheet may not replace it. */
  findFile(): fs.Stats | undefined {
    const stats = this.#find()
    if (stats === undefined) return undefined
    if (!stats.isFile()) throw this.#refused("it exists and is not a regular file")
    if (!this.#isOwn(readStart(this.path))) throw this.#foreign()
    return stats
  }

  /** Finds the directory. Throws `path-refused` if a link leads to it, or if it has only other files. */
  findFolder(): fs.Stats | undefined {
    const stats = this.#find()
    if (stats === undefined) return undefined
    if (!stats.isDirectory()) throw this.#refused("it exists and is not a directory")
    const names = fs.readdirSync(this.path).filter((name) => !name.startsWith("."))
    if (names.length > 0 && !this.#isOwn(names.join("\n"))) throw this.#foreign()
    return stats
  }

  /** Creates the missing directories around a file, or those around a directory and the directory itself. */
  makeFolders(last: "file" | "folder"): void {
    ensureFolders(this.#scope, last === "file" ? this.#file : `${this.#file}/file`)
  }

  #find(): fs.Stats | undefined {
    let stats: fs.Stats | undefined
    for (const file of foldersOf(`${this.#file}/file`)) {
      if (stats?.isDirectory() === false) throw this.#refused("a part of it is not a directory")
      stats = locateEntry(this.#scope, file).stats
      if (stats === undefined) return undefined
      if (stats.isSymbolicLink()) throw this.#refused(`${file} is a symbolic link`)
    }
    return stats
  }

  #foreign(): CallsheetError {
    return new CallsheetError(messages["path-refused"].foreign(this.shown))
  }

  #refused(reason: string): CallsheetError {
    return new CallsheetError(messages["path-refused"].onDisk(this.shown, reason))
  }
}

const MAX_START = 1024

function readStart(path: string): string {
  const descriptor = openForReading(path)
  try {
    const buffer = Buffer.alloc(MAX_START)
    return buffer.toString("utf8", 0, fs.readSync(descriptor, buffer, 0, MAX_START, 0))
  } finally {
    fs.closeSync(descriptor)
  }
}
