// The state that the tools share: the project, its files, and the last run.

import { stateFolder } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import {
  createFileHandlers,
  createProjectHandlers,
  fileAt,
  ChangeSets,
  type FileName,
  type Masker,
} from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import { createBaseline } from "./baseline.ts"

export interface World extends Pick<CommandCall, "environment" | "scriptEntry"> {
  readonly root: string
}

export type Workbench = ReturnType<typeof createWorkbench>

/** Reads files through the handlers of the app, which mask secrets and stay inside the project. */
export function createWorkbench({ root, environment: processEnvironment, scriptEntry }: World) {
  const place = { root, state: stateFolder(processEnvironment), scriptEntry }
  const project = createProjectHandlers({ ...place, processEnvironment })
  const { overview, sources, noteChange } = project
  const readProject = async () => (await overview()).project
  // Remote callers can't save scripts, and neither can agents.
  const own = {
    ...place,
    overview,
    sources,
    noteChange,
    isRemote: () => true,
    changeSets: new ChangeSets(project),
  }
  const files = createFileHandlers(own)
  return {
    root,
    processEnvironment,
    scriptEntry,
    overview,
    sources,
    baseline: createBaseline({ root, processEnvironment, readProject }),
    handlers: { ...project.handlers, ...files.handlers },
    masker: async (): Promise<Masker> => (await overview()).masker,
    close: async (): Promise<void> => {
      project.close()
      await files.close()
    },
  }
}

/** Returns the file at a path from the project's root. Refuses secrets files, and paths that no file can have. */
export function requireFile(path: string): FileName {
  if (/\.secrets\.env$/i.test(path)) throw new CallsheetError(messages.usage.toolSecrets())
  const file = fileAt(path)
  if (file === undefined) throw new CallsheetError(messages.usage.toolFile())
  return file
}
