// The imports of all scripts of a project when one of them gets another name.

import { CallsheetError, type Problem, type Project } from "@callsheet/format"
import { mendImports } from "@callsheet/language"
import { readTextFile } from "@callsheet/project"
import { placeOf } from "./file-parts.ts"

interface RenamedScript {
  readonly workflow: string
  readonly from: string
  readonly to: string
}

export interface MendedScripts {
  /** The script's own text under its new name. */
  readonly moved: string
  /** Other scripts that change. */
  readonly texts: readonly { readonly file: string; readonly before: string; readonly after: string }[]
  /** Quoted paths that are left as they are. */
  readonly doubts: readonly Problem[]
}

/** What cannot be read imports nothing that anybody could mend: `validate` says so. */
export function mendScripts(project: Project, { workflow, from, to }: RenamedScript): MendedScripts {
  const places = [...project.scriptNames].flatMap(([name, scripts]) =>
    scripts.map((script) => placeOf({ kind: "script", workflow: name, script })),
  )
  const pathOf = (script: string): string => placeOf({ kind: "script", workflow, script }).file
  const moved = { from: pathOf(from), to: pathOf(to), known: new Set(places.map(({ file }) => file)) }
  let own = ""
  const texts: { file: string; before: string; after: string }[] = []
  const doubts: Problem[] = []
  for (const place of places) {
    const before = textAt(project.root, place)
    if (before === undefined) continue
    const mended = mendImports({ file: place.file, text: before }, moved)
    doubts.push(...mended.doubts)
    if (place.file === moved.from) own = mended.text
    else if (mended.text !== before) texts.push({ file: place.file, before, after: mended.text })
  }
  return { moved: own, texts, doubts }
}

function textAt(root: string, place: ReturnType<typeof placeOf>): string | undefined {
  try {
    return readTextFile(root, place)?.text
  } catch (error) {
    if (error instanceof CallsheetError) return undefined
    throw error
  }
}
