// The notes of a change set, up to a limit. They mention uses of a name that it doesn't change.

import {
  createLineFinder,
  type Problem,
  type Project,
  type SourceFile,
  type WorkflowFile,
  isHalfWritten,
} from "@callsheet/format"
import { notes as texts } from "../messages.ts"

const MAX_NOTES = 100
const LONGEST_NOTE = 2000

export const boundNotes = (notes: readonly string[]): readonly string[] =>
  bound(notes, MAX_NOTES, "note").map((note) =>
    note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note,
  )

export const MAX_PLACES = 20

export const boundPlaces = (notes: readonly string[]): readonly string[] => bound(notes, MAX_PLACES, "place")

function bound(notes: readonly string[], most: number, what: "note" | "place"): readonly string[] {
  if (notes.length <= most) return notes
  return [...notes.slice(0, most), texts.more(notes.length - most, what)]
}

export const placeNotes = (places: readonly Problem[]): readonly string[] =>
  boundPlaces(
    places.map(({ file = "", line = 1, column = 1, message }) => `${file}:${line}:${column}: ${message}.`),
  )

export function mentionsIn({ file, text }: SourceFile, pattern: RegExp, sentence: string): readonly string[] {
  const notes: string[] = []
  let place: ReturnType<typeof createLineFinder> | undefined
  for (const { index } of text.matchAll(pattern)) {
    place ??= createLineFinder(text)
    const { line, column } = place(index)
    notes.push(`${file}:${line}:${column}: ${sentence}`)
    if (notes.length > MAX_PLACES) break
  }
  return notes
}

/** Returns the workflows that can't be read completely, so that some references are unknown. */
export const brokenWorkflows = ({ workflows }: Project): readonly WorkflowFile[] =>
  [...workflows.values()].filter(
    (file) =>
      file.readable === undefined ||
      isHalfWritten(file) ||
      !file.readable.isComplete ||
      file.readable.broken.size > 0,
  )
