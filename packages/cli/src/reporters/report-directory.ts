// The directory of a report. Its files are written to a hidden directory inside it, and moved when all are complete.

import * as fs from "node:fs"
import { join } from "node:path"
import { makeFolder, moveFile } from "@callsheet/engine"
import { ProjectPath, type CallerPath } from "@callsheet/project"
import { readText } from "../leaks/spool.ts"
import {
  attempt,
  discardAtExit,
  MODE,
  noOutput,
  temporaryPath,
  writeText,
  type ReportFile,
} from "./report-file.ts"

export interface ReportDirectory extends ReportFile {
  /** Writes a whole file. Throws `report-failed`. */
  readonly add: (name: string, pieces: Iterable<string>) => void
}

/**
 * Opens the directory before anything is sent, to find errors early. Other files in it are kept. Throws `report-failed`
 * and `path-refused`.
 */
export function openReportDirectory(place: CallerPath | ProjectPath): ReportDirectory {
  const { path, shown } = place
  const check = (): void => {
    if (place instanceof ProjectPath) place.findFolder()
  }
  const temporary = temporaryPath(join(path, "report"))
  attempt(shown, () => {
    check()
    if (place instanceof ProjectPath) place.makeFolders("folder")
    else makeFolder(path)
    fs.mkdirSync(temporary)
  })
  const written: string[] = []
  const discard = (): void => {
    keep()
    fs.rmSync(temporary, { recursive: true, force: true })
  }
  const keep = discardAtExit(discard)
  const inPlace = (): readonly string[] => written.map((name) => join(path, name))
  const remove = (): void => {
    for (const file of inPlace()) fs.rmSync(file)
  }
  return {
    add: (name, pieces) => attempt(shown, () => writeFile(join(temporary, name), pieces)),
    output: noOutput,
    place: path,
    *text() {
      for (const file of inPlace()) yield* readText(fs.openSync(file, "r"))
    },
    remove,
    commit: () => {
      try {
        attempt(shown, () => {
          // During the run, a link may have taken the place.
          check()
          for (const name of fs.readdirSync(temporary)) {
            moveFile(join(temporary, name), join(path, name))
            written.push(name)
          }
        })
      } catch (error) {
        // Half of a report would be mistaken for a whole one.
        remove()
        throw error
      } finally {
        discard()
      }
    },
    discard,
  }
}

function writeFile(path: string, pieces: Iterable<string>): void {
  const file = fs.openSync(path, "wx", MODE)
  try {
    for (const piece of pieces) writeText(file, piece)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}
