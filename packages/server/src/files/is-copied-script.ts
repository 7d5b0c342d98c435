// Whether a new script says what another one says: then nobody has written it here, and perhaps nobody has read it.

import { statSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError, type Project } from "@callsheet/format"
import { readTextFile, type TextPlace } from "@callsheet/project"
import { placeOf } from "./file-parts.ts"

export interface NewScript {
  /** Where it stands, as a path from the root. */
  readonly path: string
  readonly text: string
}

/** Looks at the scripts of all workflows, and reads those of the same length alone. */
export function isCopiedScript({ root, scriptNames }: Project, { path, text }: NewScript): boolean {
  const length = Buffer.byteLength(text)
  return [...scriptNames].some(([workflow, names]) =>
    names.some((script) => {
      const place = placeOf({ kind: "script", workflow, script })
      if (place.file === path) return false
      const size = statSync(join(root, place.file), { throwIfNoEntry: false })?.size
      // A byte order mark has three bytes, and is not in the text.
      return (size === length || size === length + 3) && textAt(root, place) === text
    }),
  )
}

function textAt(root: string, place: TextPlace): string | undefined {
  try {
    return readTextFile(root, place)?.text
  } catch (error) {
    // What cannot be read was not copied.
    if (error instanceof CallsheetError) return undefined
    throw error
  }
}
