// The handlers of files over a real directory, as the server calls them with parsed inputs.

import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { createFileHandlers, ChangeSets, type FileHandlersOptions, type Input } from "@callsheet/server"
import { CallRefused } from "../../packages/server/src/handlers.ts"
import { makeFolder, openProject, scriptEntry, type Files } from "../app-project/open-project.ts"

export type FileName = Input<"files.read">["file"]

export const checkout: FileName = { kind: "workflow", workflow: "checkout" }

/** Opens a project with these files, or the one in a directory. */
export async function openFiles(content: Files | string, options: Partial<FileHandlersOptions> = {}) {
  const project = await openProject(content)
  const { root, overview, sources, noteChange } = project
  const state = options.state ?? (await makeFolder({}))
  const changeSets = new ChangeSets({ noteChange })
  const files = createFileHandlers({
    root,
    changeSets,
    state,
    scriptEntry,
    isRemote: () => false,
    overview,
    sources,
    noteChange,
    ...options,
  })
  const { close } = files
  const handlers = { ...files.handlers, ...changeSets.handlers }
  onTestFinished(close)
  const load = (file: FileName) => handlers["files.read"]({ file })
  const save = (file: FileName, etag: string | null, text: string) =>
    handlers["files.save"]({ file, etag, text })
  return {
    ...project,
    state,
    closeFiles: close,
    keptOutside: files.keptOutside,
    calls: handlers,
    check: async (file: FileName, text: string) => (await handlers["files.check"]({ file, text })).problems,
    keep: (file: FileName, etag: string | null, text: string) =>
      handlers["drafts.keep"]({ file, etag, text }),
    drop: (file: FileName) => handlers["drafts.drop"]({ file }),
    drafts: async () => (await handlers["drafts.list"]({})).drafts,
    load,
    save,
    /** Reads it, and saves its text as changed by the function. */
    edit: async (file: FileName, change: (text: string) => string) => {
      const { etag, text } = await load(file)
      return save(file, etag, change(text))
    },
    path: (file: string) => join(root, file),
    bytes: (file: string) => readFileSync(join(root, file)),
    folder: (file: string) => mkdirSync(join(root, file), { recursive: true }),
  }
}

/** Returns the status, the code and the details with which a call was rejected. */
export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallRefused)) return error
  const { status, code, message, details } = error
  return { status, code, message, ...details }
}
