// Answers calls that fill a project: previews an import of files from the browser, and creates the sample
// project or the inbox.

import { CallsheetError, INBOX, stringifyJson, type ProcessEnvironment } from "@callsheet/format"
import { addApi, placeFiles } from "@callsheet/project"
import { forPage } from "../environments/refuse-change.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { KnownProject } from "../project/read-parts.ts"
import type { ChangeSets } from "../change-sets/change-sets.ts"
import { createDocumentFetcher, type DocumentFetcher } from "./fetch-document.ts"
import type { PreviewImport } from "./preview-in-thread.ts"
import { placing } from "./placing.ts"
import { previewUpdate } from "./preview-update.ts"
import { readCurlCommand } from "./read-curl.ts"
import type { ImportJob } from "./work-out-import.ts"

interface ImportHandlersOptions extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly changeSets: ChangeSets
  readonly noteChange: () => void
  /** Returns whether other machines can reach the server. If so, nothing is written, because imports have scripts. */
  readonly isRemote: () => boolean
  /** Writes the sample project and starts its servers. Throws `project-exists` if there is a project. */
  readonly createSample: () => Promise<void>
  readonly processEnvironment: ProcessEnvironment
  /** Previews an import outside of the server's thread. */
  readonly previewImport: PreviewImport
  /** By default, with the limits of the app. */
  readonly documents?: DocumentFetcher
}

export function createImportHandlers(options: ImportHandlersOptions): HandlersOf<"imports"> {
  const { root, changeSets, noteChange, isRemote, createSample, processEnvironment, previewImport } = options
  const documents = options.documents ?? createDocumentFetcher(processEnvironment)
  const refuseRemote = (): void => {
    if (isRemote()) throw new CallRefused(403, messages["remote-refused"].import())
  }
  const workOut = async (job: Pick<ImportJob, "input" | "address">) => {
    const { files, ...preview } = await previewImport({ root, processEnvironment, ...job })
    return { ...preview, write: () => placeFiles({ ...placing(root, files), isDryRun: false }) }
  }
  return {
    "imports.fetch": async ({ url }) => {
      refuseRemote()
      return documents.fetch(url)
    },
    "imports.plan": async ({ fetched, ...input }) => {
      refuseRemote()
      const found = fetched === undefined ? undefined : documents.find(fetched)
      const sources = [...input.sources, ...(found === undefined ? [] : [found])]
      const job = { input: { ...input, sources }, address: found?.address }
      const { digest, view } = await workOut(job).catch(refuseForPage)
      // The kept job has the texts of the sources.
      const length = sources.reduce(
        (sum, { text }) => sum + text.length,
        stringifyJson(input.directory ?? null).length,
      )
      const plan = changeSets.keep({ digest, length, workOut: () => workOut(job) })
      return { plan, ...view }
    },
    "imports.update": async ({ api, fetched }) => {
      refuseRemote()
      return previewUpdate({ ...options, api, document: documents.find(fetched) }).catch(refuseForPage)
    },
    "imports.sample": async () => {
      refuseRemote()
      await createSample()
      noteChange()
      return {}
    },
    "imports.inbox": async () => {
      const { inboxFiles } = await import("@callsheet/mock")
      await addApi({ root, api: INBOX, files: inboxFiles })
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
