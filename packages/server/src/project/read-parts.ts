// What is read of a project at a time, with errors that a page may see.

import { CallsheetError, type Project } from "@callsheet/format"
import type { ApiSource } from "@callsheet/language"
import { readProject, readWholeProject, type ReadRequest } from "@callsheet/project"
import { messages } from "../messages.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

export interface KnownProject {
  /** The project as it is now, documents unread, and what must not be seen of it. */
  readonly overview: () => Promise<{ readonly project: Project; readonly masker: Masker }>
  readonly sources: (api: string) => Promise<ApiSource>
}

export const readPart = (root: string, request: ReadRequest): Project =>
  withoutOutsidePaths(() => readProject(root, request))

/** Everything but documents: they are large, and the overview says only that they are there. */
export const readOverview = (root: string, previous?: Project): Project =>
  readPart(root, { workflows: "all", apis: "all", documents: "named", previous })

export const readOneApi = (root: string, api: string): Project =>
  readPart(root, { workflows: [], apis: [api] })

export const readAll = (root: string, previous?: Project): Project =>
  withoutOutsidePaths(() => readWholeProject(root, previous))

/** The command says which folder holds no project; the page is told of none outside of it. */
export function withoutOutsidePaths<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CallsheetError) || error.code !== "project-missing") throw error
    throw new CallsheetError(messages["project-missing"].gone())
  }
}
