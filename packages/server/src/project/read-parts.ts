// Reads parts of a project. Its errors are safe to show on the page.

import { CallsheetError, type Project } from "@callsheet/format"
import type { ApiSource } from "@callsheet/language"
import { readProject, readWholeProject, type ReadRequest } from "@callsheet/project"
import { messages } from "../messages.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

export interface KnownProject {
  /** Returns the current project without documents, and a masker for its secrets. */
  readonly overview: () => Promise<{ readonly project: Project; readonly masker: Masker }>
  readonly sources: (api: string) => Promise<ApiSource>
}

export const readPart = (root: string, request: ReadRequest): Project =>
  withoutOutsidePaths(() => readProject(root, request))

/** Reads everything except documents, which are large. */
export const readOverview = (root: string, previous?: Project): Project =>
  readPart(root, { workflows: "all", apis: "all", documents: "named", previous })

export const readOneApi = (root: string, api: string): Project =>
  readPart(root, { workflows: [], apis: [api] })

export const readAll = (root: string, previous?: Project): Project =>
  withoutOutsidePaths(() => readWholeProject(root, previous))

/** Replaces the error for a missing project, because it names a directory that the page must not see. */
export function withoutOutsidePaths<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CallsheetError) || error.code !== "project-missing") throw error
    throw new CallsheetError(messages["project-missing"].gone())
  }
}
