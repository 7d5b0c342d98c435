// Answers calls about files: reads, checks and writes them, and keeps drafts.

import { CallsheetError } from "@callsheet/format"
import type { HandlersOf } from "../handlers.ts"
import {
  holdsSecret,
  isOfEnvironments,
  placeOf,
  refuseSecrets,
  variablesIn,
  type FileContext,
  type FileHandlersOptions,
} from "./file-context.ts"
import { Drafts } from "./drafts.ts"
import { removeFile } from "./remove-file.ts"
import { readFile, saveFile } from "./read-and-save.ts"
import { createScriptParser } from "./script-parser.ts"
import { createTypeChecks } from "../type-checks/create-type-checks.ts"
import type { FileName } from "../calls/index.ts"
import { noSecrets, type KeptOutside, type Masker, type NewSecrets } from "../secrets/secrets-masker.ts"
import { notes } from "../messages.ts"

const inspecting = () => import("./inspect-files.ts")

/** Creates the handlers. Code for calls that read other files is loaded on first use. */
export function createFileHandlers(options: FileHandlersOptions) {
  const drafts = new Drafts(options)
  const parser = createScriptParser(options.scriptEntry)
  const types = createTypeChecks({ ...options, drafts })
  const context: FileContext = { ...options, drafts, parser, types }
  const handlers: HandlersOf<"files" | "drafts" | "types"> = {
    "files.read": ({ file }) => readFile(context, file),
    "files.save": (input) => saveFile(context, input),
    "files.remove": (input) => removeFile(context, input),
    "files.planRename": async (input) => (await import("./preview-rename.ts")).previewRename(context, input),
    "files.uses": async ({ file }) => (await inspecting()).findUses((await context.overview()).project, file),
    "files.places": async (input) => (await inspecting()).findPlaces(context, input),
    "files.find": async ({ query }) => (await import("./find-lines.ts")).findLines(context, query),
    "files.check": async (input) => (await inspecting()).checkFile(context, input),
    "files.list": async ({ workflow }) => (await inspecting()).listScripts(context, workflow),
    ...createDraftHandlers(context),
    ...types.handlers,
  }
  const close = async (): Promise<void> => {
    types.close()
    await parser.close()
  }
  return { handlers, keptOutside: createDraftHiding(drafts), close }
}

/** Answers calls about drafts. Keeps secrets out of drafts on disk. */
function createDraftHandlers(context: FileContext): HandlersOf<"drafts"> {
  const { drafts, overview, now = () => new Date() } = context
  /** The last known secrets. They count even after another program has removed their files. */
  let known = noSecrets
  return {
    /** Refuses drafts of environment files that can't be shown. Keeps other drafts with secrets only in memory. */
    "drafts.keep": async ({ file, etag, text }) => {
      await refuseSecrets(context, file, text)
      const masker = await maskerOf(context)
      if (masker !== noSecrets) known = masker
      const where = known.occursIn(text) ? "memory" : "disk"
      return { kept: drafts.keep(file, { text, etag, keptAt: now().toISOString() }, where) }
    },
    "drafts.drop": async ({ file }) => {
      drafts.drop(file)
      return {}
    },
    "drafts.list": async () => {
      // An edited declaration or another program may have made a value in a draft secret.
      if (drafts.onDisk().length > 0) {
        const { project, masker } = await overview()
        hide(drafts, { masker, variablesOf: variablesIn(project) })
      }
      return { drafts: drafts.list() }
    },
  }
}

async function maskerOf({ overview }: FileContext): Promise<Masker> {
  try {
    return (await overview()).masker
  } catch (error) {
    // A draft is kept even if the project can't be read.
    if (error instanceof CallsheetError) return noSecrets
    throw error
  }
}

const createDraftHiding = (drafts: Drafts): KeptOutside => ({
  notes: async (secrets) =>
    holders(drafts, secrets).map((file) => {
      const note = isOfEnvironments(file) ? notes.draftDropped : notes.draftHidden
      return note(placeOf(file).file)
    }),
  hide: async (secrets) => hide(drafts, secrets),
})

function hide(drafts: Drafts, secrets: NewSecrets): void {
  for (const file of holders(drafts, secrets)) {
    if (isOfEnvironments(file)) drafts.drop(file)
    else drafts.hide(file)
  }
}

const holders = (drafts: Drafts, secrets: NewSecrets): readonly FileName[] =>
  drafts.onDisk().filter((file) => {
    const text = drafts.read(file)?.text
    return text !== undefined && holdsSecret(file, text, secrets)
  })
