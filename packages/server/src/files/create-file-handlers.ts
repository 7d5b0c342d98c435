// Answers calls about files: reads, checks and writes them, and keeps drafts.

import type { HandlersOf } from "../handlers.ts"
import type { Desk, FileHandlersOptions } from "./desk.ts"
import { Drafts } from "./drafts.ts"
import { createDraftHandlers, createDraftHiding } from "./draft-handlers.ts"
import { removeFile, renameFile } from "./move-file.ts"
import { readFile, saveFile } from "./read-and-save.ts"
import { createScriptParser } from "./script-parser.ts"

export type { FileHandlersOptions } from "./desk.ts"

const inspecting = () => import("./inspect-files.ts")

/** Modules that read other files than the call's own are loaded on first use. */
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
