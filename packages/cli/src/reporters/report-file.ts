// The file of a report. It is written next to its target and then renamed, so that the target is never incomplete.

import * as fs from "node:fs"
import { basename, dirname, join } from "node:path"
import { makeFolder, moveFile } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { ProjectPath, type CallerPath } from "@callsheet/project"
import { messages } from "../messages.ts"
import { plain, type Output } from "../screen.ts"
import { breakCommands } from "../text/log-commands.ts"

export interface ReportFile {
  readonly output: Output
  /** The final path. Absent for a pipe or a device, which can't be read again. */
  readonly place?: string | undefined
  /** Returns the text of a compressed file, or of a directory, after it is written. */
  readonly text?: () => Iterable<string>
  /** Moves the report to its final path. Throws `report-failed` if a part couldn't be written. */
  readonly commit: () => void
  readonly discard: () => void
  /** Removes a report that consists of several files, after it is written. */
  readonly remove?: () => void
}

/** The output of reports that are not one text. */
export const noOutput: Output = {
  write: () => undefined,
  isTerminal: false,
  isLive: false,
  columns: () => 80,
  style: plain,
}

// CI systems may collect reports as another user, so others can read them if the umask allows it.
export const MODE = 0o644

// Created once, because buffers stay in memory until the next garbage collection.
const encoder = new TextEncoder()
let buffer: Uint8Array | undefined

/** Appends text to an open file. */
export function writeText(file: number, text: string): void {
  const bytes = (buffer ??= new Uint8Array(128 * 1024))
  for (let rest = text; rest !== "";) {
    const { read, written } = encoder.encodeInto(rest, bytes)
    for (let at = 0; at < written;) at += fs.writeSync(file, bytes, at, written - at)
    rest = rest.slice(read)
  }
}

// Part of the temporary file's name. The process id and the time aren't enough: ids repeat in containers, and killed
// processes leave files behind.
let counter = 0

/** Discards the files of a process that ends early. */
const discards = new Set<() => void>()
const discardAll = (): void => {
  for (const discard of discards) discard()
}

/** Calls `discard` if the process ends before the returned function is called. A second Ctrl-C may end it at any point. */
export function discardAtExit(discard: () => void): () => void {
  // One listener for all files, because Node warns if there are many.
  if (discards.size === 0) process.once("exit", discardAll)
  discards.add(discard)
  return () => {
    discards.delete(discard)
    if (discards.size === 0) process.off("exit", discardAll)
  }
}

/** Returns the path of a new file next to `place`, which is later renamed to it. */
export const temporaryPath = (place: string): string =>
  join(dirname(place), `.${basename(place)}.${process.pid}-${Date.now().toString(36)}-${counter++}.tmp`)

/** Opens the file before anything is sent, to find errors early. Throws `report-failed` and `path-refused`. */
export function openReportFile(place: CallerPath | ProjectPath): ReportFile {
  return place instanceof ProjectPath ? openInProject(place) : openAnywhere(place)
}

function openInProject(named: ProjectPath): ReportFile {
  const { path: place, shown } = named
  return attempt(shown, () => {
    const known = named.findFile()
    named.makeFolders("file")
    const temporary = temporaryPath(place)
    const file = fs.openSync(temporary, "wx", known === undefined ? MODE : known.mode & 0o755)
    // During the run, a link or another file may have taken the place.
    return createReportFile({ file, temporary, place, shown, check: () => void named.findFile() })
  })
}

function openAnywhere({ path, shown }: CallerPath): ReportFile {
  return attempt(shown, () => {
    const known = fs.statSync(path, { throwIfNoEntry: false })
    if (known?.isDirectory() === true)
      throw new CallsheetError(messages["report-failed"].unwritable("report", shown, "EISDIR"))
    const isSpecial = known !== undefined && !known.isFile()
    if (known === undefined) makeFolder(dirname(path))
    const place = known === undefined || isSpecial ? path : fs.realpathSync(path)
    const temporary = isSpecial ? undefined : temporaryPath(place)
    // Pipes and devices (`/dev/null`) can't be replaced, so write to them directly.
    const mode = known === undefined ? MODE : known.mode & 0o755
    const file = fs.openSync(temporary ?? path, temporary === undefined ? "w" : "wx", mode)
    return createReportFile({ file, temporary, place, shown })
  })
}

/** Opens a file to append to it. Throws `report-failed`. */
export function openAppended(path: string): ReportFile {
  const file = attempt(path, () => fs.openSync(path, "a", MODE))
  return createReportFile({ file, temporary: undefined, place: path, shown: path })
}

interface OpenFile {
  readonly file: number
  readonly temporary: string | undefined
  readonly place: string
  readonly shown: string
  /** Throws if the file can't be moved to its place anymore. */
  readonly check?: () => void
}

function createReportFile({ file, temporary, place, shown, check }: OpenFile): ReportFile {
  let isOpen = true
  let failure: unknown
  // The file may be the terminal's own device, or be printed later, so make text safe.
  const write: Output["write"] = (text, as) => {
    if (failure !== undefined || !isOpen) return
    try {
      writeText(file, as === "exact" ? text : breakCommands(text))
    } catch (error) {
      failure = error
    }
  }
  const close = () => {
    if (isOpen) fs.closeSync(file)
    isOpen = false
  }
  const discard = () => {
    keep()
    close()
    if (temporary !== undefined) fs.rmSync(temporary, { force: true })
  }
  const keep = discardAtExit(discard)
  const settle = () => {
    if (failure !== undefined) throw failure
    if (temporary === undefined) return
    fs.fsyncSync(file)
    close()
    check?.()
    moveFile(temporary, place)
  }
  return {
    place: temporary === undefined ? undefined : place,
    output: { write, isTerminal: false, isLive: false, columns: () => 120, style: plain },
    commit: () => {
      try {
        attempt(shown, settle)
      } finally {
        discard()
      }
    },
    discard,
  }
}

/** Performs an action on the file of a report or a record. Errors of the file system become `report-failed`. */
export function attempt<T>(shown: string, action: () => T, what: "report" | "record" = "report"): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof CallsheetError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new CallsheetError(messages["report-failed"].unwritable(what, shown, code), { cause: error })
  }
}
