// What is read of a project at a time, with errors that a page may see.

import { CallsheetError, type Project } from "@callsheet/format"
import { readProject, readWholeProject } from "@callsheet/project"

/** Everything but documents: they are large, and the overview says only that they are there. */
export const readOverview = (root: string, previous?: Project): Project =>
  withoutOutsidePaths(() =>
    readProject(root, { workflows: "all", apis: "all", documents: "named", previous }),
  )

/** One API with its document. Throws `api-unknown` where the project has none of that name. */
export const readOneApi = (root: string, api: string): Project =>
  withoutOutsidePaths(() => readProject(root, { workflows: [], apis: [api] }))

/** All that `callsheet validate` looks at. */
export const readAll = (root: string, previous?: Project): Project =>
  withoutOutsidePaths(() => readWholeProject(root, previous))

/** The command says which folder holds no project; the page is told of none outside of it. */
export function withoutOutsidePaths<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CallsheetError) || error.code !== "project-missing") throw error
    throw new CallsheetError("project-missing", "the folder of the project is not there any more", {
      hint: "put it back, or end the application",
    })
  }
}
