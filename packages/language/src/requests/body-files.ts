// Finds the files that request bodies may be read from.

import { attempt, parseTemplateOnce, type SourceFile } from "@callsheet/format"
import { HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"

const strings = /"(?:[^"\\]|\\.)*"/g
/** Matches a file's path with placeholders: the body of a saved request, or the `file` of a part of a body. */
const openPath = /"(body|(?:[^"\\]*\.)?file)"\s*:\s*("(?:[^"\\]|\\.)*\{\{(?:[^"\\]|\\.)*")/g

/** Returns whether workflows or saved requests may send a file, by its path from the root. */
export function bodyFilesOf(sources: Iterable<Pick<SourceFile, "text">>): (file: string) => boolean {
  const written = new Set<string>()
  const patterns = new Set<string>()
  for (const { text } of sources) {
    for (const [quoted] of text.matchAll(strings)) written.add(quoted)
    for (const [, key, quoted = '""'] of text.matchAll(openPath)) {
      const template = parseTemplateOnce(attempt(() => String(JSON.parse(quoted))) ?? "")
      const pattern = template.ok ? patternOf(template.parts) : ""
      // A body that is a single placeholder is rarely a file.
      if (pattern !== "" && (key !== "body" || pattern !== HOLE)) patterns.add(pattern)
    }
  }
  return (file) =>
    written.has(JSON.stringify(file)) || [...patterns].some((pattern) => mayMeet(pattern, file))
}
