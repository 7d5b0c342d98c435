// Where a name stands in workflows with errors, which are not mended.

import { createLineFinder, type Project } from "@callsheet/format"
import type { NamedFile } from "../calls/index.ts"
import { boundPlaces, MOST_PLACES } from "../plans/bound-notes.ts"

/** Sentences, one for each place of the name as a whole text of JSON; of very many the first. */
export function brokenMentions({ workflows }: Project, file: NamedFile): readonly string[] {
  const name = file.kind === "script" ? file.script : file.request
  const broken = [...workflows.values()].filter(
    ({ name: workflow, readable }) =>
      (readable === undefined || !readable.isComplete || readable.broken.size > 0) &&
      (file.kind === "request" || file.workflow === workflow),
  )
  return boundPlaces(
    broken.flatMap(({ file: path, text }) =>
      placesIn(text, JSON.stringify(name)).map(
        ({ line, column }) =>
          `${path}:${line}:${column}: names ${JSON.stringify(name)} in a file with errors: look whether it is mended.`,
      ),
    ),
  )
}

function placesIn(text: string, quoted: string) {
  const place = createLineFinder(text)
  const places: ReturnType<typeof place>[] = []
  for (
    let at = text.indexOf(quoted);
    at !== -1 && places.length <= MOST_PLACES;
    at = text.indexOf(quoted, at + quoted.length)
  )
    places.push(place(at))
  return places
}
