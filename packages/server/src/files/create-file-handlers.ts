// What the server answers of texts of files: it reads, checks and writes them, and keeps what is not saved.

import type { HandlersOf } from "../handlers.ts"
import type { Desk, FileHandlersOptions } from "./desk.ts"
import { Drafts } from "./drafts.ts"
import { createDraftHandlers, createDraftHiding } from "./draft-handlers.ts"
import { removeFile, renameFile } from "./move-file.ts"
import { readFile, saveFile } from "./read-and-save.ts"
import { createScriptParser } from "./script-parser.ts"

export type { FileHandlersOptions } from "./desk.ts"

const inspecting = () => import("./inspect-files.ts")

/** What looks into other files than the one that a call names is loaded by the first call that needs it. */
export function createFileHandlers(options: FileHandlersOptions) {
  const drafts = new Drafts(options)
  const parser = createScriptParser(options.scriptEntry)
  const desk: Desk = { ...options, drafts, parser }
  const handlers: HandlersOf<"files" | "drafts"> = {
    "files.read": ({ file }) => readFile(desk, file),
    "files.save": (input) => saveFile(desk, input),
    "files.remove": (input) => removeFile(desk, input),
    "files.rename": (input) => renameFile(desk, input),
    "files.planRename": async (input) => (await import("./plan-rename.ts")).planRename(desk, input),
    "files.uses": async ({ file }) => ({
      uses: (await inspecting()).findUses((await desk.overview()).project, file),
    }),
    "files.check": async (input) => (await inspecting()).checkFile(desk, input),
    "files.list": async ({ workflow }) => (await inspecting()).listScripts(desk, workflow),
    ...createDraftHandlers(desk),
  }
  return { handlers, keptOutside: createDraftHiding(drafts), close: parser.close }
}
