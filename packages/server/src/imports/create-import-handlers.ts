// Answers calls that fill a project: plans an import of files from the browser, and creates the sample project.

import { createHash } from "node:crypto"
import { basename } from "node:path"
import { CallsheetError, stringifyJson } from "@callsheet/format"
import { createSecretSearch } from "@callsheet/engine"
import { createProject, findApi, findEnvironments, placeFiles } from "@callsheet/project"
import type { ImportPlan, Input } from "../calls/index.ts"
import { forPage } from "../environments/refuse-change.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { Plans, WorkedOut } from "../plans/plans.ts"

interface ImportHandlersOptions {
  readonly root: string
  readonly plans: Plans
  readonly noteChange: () => void
  /** Returns whether other machines can reach the server. If so, nothing is written, because imports have scripts. */
  readonly isRemote: () => boolean
  /** Reads the files of the sample project. */
  readonly readTemplate: () => ReadonlyMap<string, string>
}

export function createImportHandlers(options: ImportHandlersOptions): HandlersOf<"imports"> {
  const { root, plans, noteChange, isRemote, readTemplate } = options
  const refuseRemote = (): void => {
    if (isRemote()) throw new CallRefused(403, messages["remote-refused"].import())
  }
  return {
    "imports.plan": async (input) => {
      refuseRemote()
      const { digest, view } = await workOut(root, input).catch(refuseForPage)
      const plan = plans.keep({
        digest,
        length: stringifyJson(input).length,
        workOut: () => workOut(root, input),
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

interface Worked extends WorkedOut {
  readonly view: Omit<ImportPlan, "plan">
}

async function workOut(root: string, input: Input<"imports.plan">): Promise<Worked> {
  const { sources, directory, document, api } = input
  const { planImport } = await import("@callsheet/interop")
  const given = [...(document === undefined ? [] : [document]), ...sources]
  const planned = await planImport({
    sources: [
      ...sources.map(({ name, text }) => ({ file: name, text })),
      ...(directory === undefined ? [] : [sourceDirectory(directory)]),
    ],
    api,
    document: document?.name,
    openDocument: (name) => ({ file: name, text: given.find((one) => one.name === name)?.text ?? "" }),
    environments: findEnvironments(root),
    processEnvironment: {},
    createSearch: createSecretSearch,
    readApi: (name, documents) => findApi(root, name, documents),
    // A browser sends only the chosen files.
    readFile: () => ({ ok: false, reason: "upload" }),
  })
  const place = (isDryRun: boolean) =>
    // The page names the files that are replaced, and the user confirms it.
    placeFiles({ root, title: "import requests", files: planned.files, force: true, isDryRun })
  const { files, replaced = [] } = await place(true)
  const { source, requests, operations, saved, workflows, losses, unset } = planned
  const digest = createHash("sha256")
    .update(stringifyJson([planned.files, files, replaced]))
    .digest("base64url")
  return {
    digest,
    write: () => place(false),
    view: {
      source,
      api: planned.api,
      requests,
      operations,
      saved,
      workflows,
      files,
      replaced: replaced.map(({ file }) => file),
      losses,
      unset,
    },
  }
}

const sourceDirectory = ({ name, files }: NonNullable<Input<"imports.plan">["directory"]>) => ({
  file: name,
  files: files.map(({ path, text }) => ({ file: `${name}/${path}`, text })),
  unread: [],
})

/** Answers with all problems of the sources, without hints about the command line. */
function refuseForPage(error: unknown): never {
  if (!(error instanceof CallsheetError) || error instanceof CallRefused) throw error
  const { code, message, problems } = error
  const shown = problems.map((problem) => ({ ...problem, hint: forPage(problem.hint) }))
  throw new CallRefused(422, { code, message, hint: forPage(error.hint) }, { problems: shown })
}
