// Reads a data file twice: first to check every row before a run sends anything, then to run the rows. Neither pass
// keeps the file in memory.

import { closeSync, fstatSync, readSync } from "node:fs"
import { parse, relative, resolve } from "node:path"
import {
  CallsheetError,
  formatMessages,
  readRows,
  toProblem,
  type Finding,
  type Problem,
  type RowInputs,
  type RowOrProblem,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { checkKind, findEntry, openForReading, type UnsavedTexts } from "./project-folder.ts"
import { errorCode, reasonOf } from "./reason.ts"

interface RowsFile {
  /** The path as the user wrote it. */
  readonly path: string
  /** The directory that `path` is relative to. If absent, the file must be in the project. */
  readonly cwd?: string | undefined
  /** Texts that replace those on disk. */
  readonly unsaved?: UnsavedTexts | undefined
}

const MAX_PROBLEMS = 100
const CHUNK_BYTES = 64 * 1024
/** After this many rows, other work can run, such as the handling of an interrupt. */
const ROWS_PER_TURN = 1_000

/** Opens a data file. Call `rows` only if `check` found no problem. */
export function openRows(root: string, { path, cwd, unsaved }: RowsFile) {
  let checked: string | undefined
  const refuse = (finding: Finding): RowOrProblem => ({ ok: false, problem: toProblem(finding, path) })
  const found = cwd === undefined ? findEntry(root, path, unsaved) : findAnywhere(resolve(cwd, path))

  async function* read(inputs: RowInputs): AsyncGenerator<RowOrProblem> {
    if (!found.ok) return yield refuse(found.problem)
    const wrongKind = checkKind(found.value)
    if (wrongKind !== undefined) return yield refuse(wrongKind)
    const { unsaved: text } = found.value
    if (text !== undefined) return yield* readRows(path, [new TextEncoder().encode(text)], inputs)
    let descriptor: number | undefined
    try {
      descriptor = openForReading(found.value.realPath)
      checked ??= stateOf(descriptor)
      let turn = 0
      for (const item of readRows(path, chunksOf(descriptor, checked), inputs)) {
        if (turn++ % ROWS_PER_TURN === 0) await new Promise(setImmediate)
        yield item
      }
    } catch (error) {
      if (error instanceof CallsheetError) yield refuse(error)
      else if (errorCode(error) === undefined) throw error
      else yield refuse(messages["file-unreadable"].file(reasonOf(error)))
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }

  return {
    /** Returns at most 100 problems, or the number of rows. */
    check: async (inputs: RowInputs): Promise<{ problems: readonly Problem[]; count: number }> => {
      const problems: Problem[] = []
      let count = 0
      checked = undefined
      for await (const item of read(inputs)) {
        if (item.ok) count++
        else if (problems.push(item.problem) === MAX_PROBLEMS) {
          problems.push(toProblem(formatMessages["field-value"].tooMany(MAX_PROBLEMS), path))
          break
        }
      }
      return { problems, count }
    },
    /** Yields the checked rows. If the file has changed since, the last item is a problem. */
    rows: async function* (inputs: RowInputs): AsyncGenerator<RowOrProblem> {
      for await (const item of read(inputs)) {
        // `check` accepted every row, so a problem now means that the file has changed.
        if (!item.ok) return yield refuse(messages["file-changed"].rows())
        yield item
      }
    },
  }
}

function findAnywhere(path: string): ReturnType<typeof findEntry> {
  const { root } = parse(path)
  return findEntry(root, relative(root, path))
}

/** Reads a file to its end. Throws `file-unreadable` if the file changes before or during the read. */
function* chunksOf(descriptor: number, state: string): Generator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES)
  for (;;) {
    const length = readSync(descriptor, buffer)
    if (stateOf(descriptor) !== state) throw new CallsheetError(messages["file-unreadable"].busy())
    if (length === 0) return
    yield buffer.subarray(0, length)
  }
}

function stateOf(descriptor: number): string {
  const { dev, ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true })
  return [dev, ino, size, mtimeNs].join(" ")
}
