// Which files a run or a request uses have changes that are not saved: a run uses files as they are saved.

import type { FileName } from "@callsheet/server/calls"
import { dirtyFilesNow } from "../editing/open-files.ts"

/** Of a workflow: its own file, its scripts, and the files of all APIs, any of which it may touch. */
export const unsavedFilesOf = (workflow: string): readonly FileName[] =>
  dirtyFilesNow().filter(
    (file) => (file.kind !== "workflow" && file.kind !== "script") || file.workflow === workflow,
  )
