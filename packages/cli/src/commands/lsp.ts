// `callsheet lsp`: serves an editor. The protocol is in the package `callsheet-lsp`, which is optional.

import { ownFiles } from "@callsheet/engine"
import { CallsheetError, type ProcessEnvironment } from "@callsheet/format"
import { createEditorService } from "@callsheet/editor"
import { readAllEnvironments } from "@callsheet/project"
import type { Command } from "../args/command.ts"
import { runsForEditor } from "../lsp/run-for-editor.ts"
import { maskProblems } from "../mask-files.ts"
import { messages } from "../messages.ts"
import { printBugs } from "../report-error.ts"
import { findSurrounding } from "../validate/find-surrounding.ts"
import { version } from "../version.ts"

/** The part of the package `callsheet-lsp` that this command uses. */
interface LspPackage {
  readonly serve: (options: {
    readonly version: string
    readonly service: ReturnType<typeof createEditorService>
    readonly messageOf: (error: unknown) => string | undefined
    readonly onBug: (error: unknown) => void
  }) => void
}

/** Never returns: the protocol says how the process ends. */
export const lsp: Command = async (call) => {
  const { serve } = loadPackage()
  serve({
    version,
    service: createEditorService({
      scriptEntry: call.scriptEntry,
      processEnvironment: call.environment,
      runs: runsForEditor(call),
      ...validationWith(call.environment),
    }),
    messageOf: (error) => (error instanceof CallsheetError ? textOf(error) : undefined),
    onBug: printBugs(call),
  })
  return new Promise(() => undefined)
}

/** The hint is on its own line, as in a diagnostic. */
const textOf = ({ message, hint }: CallsheetError): string =>
  hint === undefined ? message : `${message}\n${hint}`

/** What `callsheet validate` does with and around a project's files. */
const validationWith = (environment: ProcessEnvironment): Validation => ({
  findSurrounding: (project, asksGit) => findSurrounding(project, { environment, isWhole: true, asksGit }),
  mask: (project, problems) => maskProblems(problems, readAllEnvironments(project), environment),
})

type Validation = Pick<Parameters<typeof createEditorService>[0], "findSurrounding" | "mask">

function loadPackage(): LspPackage {
  const loaded = ownFiles.loadPackage("callsheet-lsp") as LspPackage | undefined
  if (loaded === undefined) throw new CallsheetError(messages.usage.lspMissing(version))
  return loaded
}
