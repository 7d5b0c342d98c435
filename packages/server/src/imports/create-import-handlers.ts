// Answers calls that fill a project: previews an import of files from the browser, and creates the sample project.

import { basename } from "node:path"
import { CallsheetError, stringifyJson, type ProcessEnvironment } from "@callsheet/format"
import { createProject, placeFiles } from "@callsheet/project"
import type { Input } from "../calls/index.ts"
import { forPage } from "../environments/refuse-change.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { ChangeSets } from "../change-sets/change-sets.ts"
import type { PreviewImport } from "./preview-in-thread.ts"
import { placing } from "./placing.ts"
import { readCurlCommand } from "./read-curl.ts"

interface ImportHandlersOptions {
  readonly root: string
  readonly changeSets: ChangeSets
  readonly noteChange: () => void
  /** Returns whether other machines can reach the server. If so, nothing is written, because imports have scripts. */
  readonly isRemote: () => boolean
  /** Reads the files of the sample project. */
  readonly readTemplate: () => ReadonlyMap<string, string>
  readonly processEnvironment: ProcessEnvironment
  /** Previews an import outside of the server's thread. */
  readonly previewImport: PreviewImport
}

export function createImportHandlers(options: ImportHandlersOptions): HandlersOf<"imports"> {
  const { root, changeSets, noteChange, isRemote, readTemplate, processEnvironment, previewImport } = options
  const refuseRemote = (): void => {
    if (isRemote()) throw new CallRefused(403, messages["remote-refused"].import())
  }
  const workOut = async (input: Input<"imports.plan">) => {
    const { files, ...preview } = await previewImport({ root, input, processEnvironment })
    return { ...preview, write: () => placeFiles({ ...placing(root, files), isDryRun: false }) }
  }
  return {
    "imports.plan": async (input) => {
      refuseRemote()
      const { digest, view } = await workOut(input).catch(refuseForPage)
      const plan = changeSets.keep({
        digest,
        length: stringifyJson(input).length,
        workOut: () => workOut(input),
      })
      return { plan, ...view }
    },
    "imports.sample": async () => {
      refuseRemote()
      await createProject({ root, name: basename(root), template: readTemplate() })
      noteChange()
      return {}
    },
    "imports.readCurl": (input) =>
      readCurlCommand({ root, input, processEnvironment, previewImport }).catch(refuseForPage),
  }
}

/** Answers with all problems of the sources, without hints about the command line. */
function refuseForPage(error: unknown): never {
  if (!(error instanceof CallsheetError) || error instanceof CallRefused) throw error
  const { code, message, problems } = error
  const shown = problems.map((problem) => ({ ...problem, hint: forPage(problem.hint) }))
  throw new CallRefused(422, { code, message, hint: forPage(error.hint) }, { problems: shown })
}
