// What the server answers of texts of files: it reads, checks and writes them, and keeps what is not saved.

import type { FileCalls } from "../calls/index.ts"
import type { Handlers } from "../handlers.ts"
import type { KeptOutside } from "../kept-outside.ts"
import { checkFile } from "./check-file.ts"
import type { Desk, FileHandlersOptions } from "./desk.ts"
import { createDrafts } from "./drafts.ts"
import { createDraftHiding, hideDrafts } from "./hide-drafts.ts"
import { createDraftKeeping } from "./keep-draft.ts"
import { findUses } from "./find-uses.ts"
import { listScripts } from "./list-scripts.ts"
import { removeFile, renameFile } from "./move-file.ts"
import { planRename } from "./plan-rename.ts"
import { readFile } from "./read-file.ts"
import { saveFile } from "./save-file.ts"
import { createScriptParser } from "./script-parser.ts"

export type { FileHandlersOptions } from "./desk.ts"

export interface FileHandlers {
  readonly handlers: Pick<Handlers, keyof FileCalls>
  /** Drafts, for who makes a secret of what they hold. */
  readonly keptOutside: KeptOutside
  /** Ends the process that parses scripts. */
  readonly close: () => Promise<void>
}

export function createFileHandlers(options: FileHandlersOptions): FileHandlers {
  const drafts = createDrafts(options)
  const parser = createScriptParser(options.scriptEntry)
  const desk: Desk = { ...options, drafts, parser }
  return {
    handlers: {
      "files.read": ({ file }) => readFile(desk, file),
      "files.save": (input) => saveFile(desk, input),
      "files.remove": (input) => removeFile(desk, input),
      "files.rename": (input) => renameFile(desk, input),
      "files.planRename": (input) => planRename(desk, input),
      "files.uses": async ({ file }) => ({ uses: await findUses((await desk.overview()).project, file) }),
      "files.check": (input) => checkFile(desk, input),
      "files.list": ({ workflow }) => listScripts(desk, workflow),
      "drafts.keep": createDraftKeeping(desk),
      "drafts.drop": async ({ file }) => {
        drafts.drop(file)
        return {}
      },
      "drafts.list": async () => {
        await hideDrafts(desk)
        return { drafts: drafts.list() }
      },
    },
    keptOutside: createDraftHiding(drafts),
    close: parser.close,
  }
}
