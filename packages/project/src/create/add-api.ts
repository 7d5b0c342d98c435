// Adds an API to a project, with all its files or not at all.

import { lstatSync } from "node:fs"
import { join } from "node:path"
import { attempt, CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Changed } from "../write/change-project.ts"
import { writeFiles } from "./write-files.ts"

interface NewApi {
  readonly root: string
  readonly api: string
  /** The files of the API by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Throws `file-exists` if the API has a directory, and the errors of `writeFiles`. */
export function addApi({ root, api, files }: NewApi): Promise<Changed> {
  const name = `apis/${api}`
  const guard = (): void => {
    const found = attempt(() => lstatSync(join(root, name), { throwIfNoEntry: false }))
    if (found !== undefined) throw new CallsheetError(messages["file-exists"].exists(name))
  }
  return writeFiles({ root, title: `add the API ${api}`, guard, edits: [], folder: { name, files } })
}
