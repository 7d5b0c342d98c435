// The focused field with a placeholder that isn't closed yet. Until it is closed, problems with its names aren't shown.
// Also the field that had the focus last, to insert a placeholder into it.

import { startsWith, type JsonPointer, type ProblemCode } from "@callsheet/format"
import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import type { LocatedProblem } from "../../files/text/field-problems.ts"
import { fileKey } from "../../files/file-key.ts"
import type { Reads } from "@callsheet/language"

export interface FieldPlace {
  readonly file: FileName
  /** From the root of the file. */
  readonly pointer: JsonPointer
}

export const useOpenField = create<{ readonly open: FieldPlace | undefined }>(() => ({ open: undefined }))

/** Returns the pointer of the open field in a file. */
export function usePointerOfOpen(file: FileName): JsonPointer | undefined {
  const key = fileKey(file)
  return useOpenField(({ open }) =>
    open !== undefined && fileKey(open.file) === key ? open.pointer : undefined,
  )
}

const codesOfNames: ReadonlySet<ProblemCode> = new Set([
  "token-malformed",
  "token-unresolved",
  "source-unresolved",
  "result-skipped",
])

/** Returns the problems without those of names in the open field. All pointers start at the same value. */
export const withoutOpen = (
  located: readonly LocatedProblem[],
  open: JsonPointer | undefined,
): readonly LocatedProblem[] =>
  open === undefined
    ? located
    : located.filter(({ problem, pointer }) => !codesOfNames.has(problem.code) || !startsWith(pointer, open))

export interface LastField extends FieldPlace {
  readonly reads: Reads
  /** The accessible name. */
  readonly name: string
  /** The text and the selection when the field lost the focus. */
  readonly text: string
  readonly from: number
  readonly to: number
}

let last: LastField | undefined

export const lastField = (): LastField | undefined => last

export const noteField = (field: LastField): void => void (last = field)
