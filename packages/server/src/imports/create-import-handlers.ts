// Answers calls that fill a project: plans an import of files from the browser, and creates the sample project.

import { basename } from "node:path"
import { CallsheetError, stringifyJson, type ProcessEnvironment } from "@callsheet/format"
import { createProject, placeFiles } from "@callsheet/project"
import type { Input } from "../calls/index.ts"
import { forPage } from "../environments/refuse-change.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { Plans } from "../plans/plans.ts"
import type { PlanImport } from "./plan-in-thread.ts"
import { placing } from "./placing.ts"

interface ImportHandlersOptions {
  readonly root: string
  readonly plans: Plans
  readonly noteChange: () => void
  /** Returns whether other machines can reach the server. If so, nothing is written, because imports have scripts. */
  readonly isRemote: () => boolean
  /** Reads the files of the sample project. */
  readonly readTemplate: () => ReadonlyMap<string, string>
  readonly processEnvironment: ProcessEnvironment
  /** Plans an import outside of the server's thread. */
  readonly planImport: PlanImport
}

export function createImportHandlers(options: ImportHandlersOptions): HandlersOf<"imports"> {
  const { root, plans, noteChange, isRemote, readTemplate, processEnvironment, planImport } = options
  const refuseRemote = (): void => {
    if (isRemote()) throw new CallRefused(403, messages["remote-refused"].import())
  }
  const workOut = async (input: Input<"imports.plan">) => {
    const { files, ...planned } = await planImport({ root, input, processEnvironment })
    return { ...planned, write: () => placeFiles({ ...placing(root, files), isDryRun: false }) }
  }
  return {
    "imports.plan": async (input) => {
      refuseRemote()
      const { digest, view } = await workOut(input).catch(refuseForPage)
      const plan = plans.keep({
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
  }
}

/** Answers with all problems of the sources, without hints about the command line. */
function refuseForPage(error: unknown): never {
  if (!(error instanceof CallsheetError) || error instanceof CallRefused) throw error
  const { code, message, problems } = error
  const shown = problems.map((problem) => ({ ...problem, hint: forPage(problem.hint) }))
  throw new CallRefused(422, { code, message, hint: forPage(error.hint) }, { problems: shown })
}
