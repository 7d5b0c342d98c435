// Answers calls about files: reads, checks and writes them, and keeps drafts.

import type { HandlersOf } from "../handlers.ts"
import type { FileContext, FileHandlersOptions } from "./file-context.ts"
import { Drafts } from "./drafts.ts"
import { createDraftHandlers, createDraftHiding } from "./draft-handlers.ts"
import { removeFile, renameFile } from "./move-file.ts"
import { readFile, saveFile } from "./read-and-save.ts"
import { createScriptParser } from "./script-parser.ts"

const inspecting = () => import("./inspect-files.ts")

/** Creates the handlers. Modules for calls that read other files are loaded on first use. */
export function createFileHandlers(options: FileHandlersOptions) {
  const drafts = new Drafts(options)
  const parser = createScriptParser(options.scriptEntry)
  const context: FileContext = { ...options, drafts, parser }
  const handlers: HandlersOf<"files" | "drafts"> = {
    "files.read": ({ file }) => readFile(context, file),
    "files.save": (input) => saveFile(context, input),
    "files.remove": (input) => removeFile(context, input),
    "files.rename": (input) => renameFile(context, input),
    "files.planRename": async (input) => (await import("./plan-rename.ts")).planRename(context, input),
    "files.uses": async ({ file }) => ({
      uses: (await inspecting()).findUses((await context.overview()).project, file),
    }),
    "files.check": async (input) => (await inspecting()).checkFile(context, input),
    "files.list": async ({ workflow }) => (await inspecting()).listScripts(context, workflow),
    ...createDraftHandlers(context),
  }
  return { handlers, keptOutside: createDraftHiding(drafts), close: parser.close }
}
