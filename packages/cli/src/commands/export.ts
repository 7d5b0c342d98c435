// `callsheet export`: writes a workflow in the format of another tool. Sends nothing.

import { randomUUID } from "node:crypto"
import { existsSync, realpathSync, statSync } from "node:fs"
import * as system from "node:path"
import { dirname, join, resolve } from "node:path"
import { OpenSession, withDefaults } from "@callsheet/engine"
import { attempt, CallsheetError, suggest, wayBetween } from "@callsheet/format"
import { exportTargets, exportWorkflow, needAttention, type ExportedWorkflow } from "@callsheet/interop"
import { CallerPath, readAllEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import type { Options } from "../args/options.ts"
import { readWorkflows } from "../session/read-workflows.ts"
import { openReportFile } from "../reporters/report-file.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printLosses } from "../text/losses.ts"
import { shellWord } from "../text/shell-word.ts"
import { withPorts } from "../session/with-ports.ts"
import { readBinding, readValues } from "./read-run-options.ts"
import { warnOfVisibleSecrets } from "./run.ts"

/** Exports the workflow. Returns 1 if the format can't express something, otherwise 0. */
export const exportFile: Command = async (call) => {
  const { options, cwd, screen } = call
  const target = readTarget(options)
  const shown = options.value("output")
  const path = shown === undefined ? undefined : resolve(cwd, shown)
  if (path !== undefined && attempt(() => statSync(path).isDirectory()) === true)
    throw new CallsheetError(messages["file-exists"].exportDirectory(shown ?? ""))
  if (path !== undefined && existsSync(path) && !options.has("force"))
    throw new CallsheetError(messages["file-exists"].exported(shown ?? ""))
  const exported = await exportTo(call, { target, folder: path === undefined ? cwd : dirname(path) })
  const { text, requests, losses } = exported
  if (path !== undefined && shown !== undefined) {
    // Other users of this machine must not read secrets.
    if (options.has("reveal")) process.umask(0o077)
    const file = openReportFile(CallerPath.from(cwd, shown))
    file.output.write(text, "exact")
    file.commit()
  } else if (!options.has("json")) screen.out.write(text, "exact")
  if (options.has("json")) {
    const files = shown === undefined ? { files: [], text } : { files: [shown] }
    screen.out.write(jsonDocument({ target, requests, ...files, losses }), "exact")
  } else printLosses(screen.err, losses, notices.exportLosses)
  return needAttention(losses) ? 1 : 0
}

type Target = (typeof exportTargets)[number]

function readTarget(options: Options): Target {
  const text = options.value("to")
  const found = exportTargets.find((target) => target === text)
  if (found !== undefined) return found
  const suggestion = text === undefined ? undefined : suggest(text, exportTargets)
  throw new CallsheetError(messages.usage.exportFormat(exportTargets, suggestion))
}

interface Exporting {
  readonly target: Target
  /** The directory of the exported file. */
  readonly folder: string
}

async function exportTo(call: CommandCall, { target, folder }: Exporting): Promise<ExportedWorkflow> {
  const { options, words, cwd, environment } = call
  const { variables, ...given } = readBinding(options)
  const root = await openRoot(call)
  const named = [...Object.keys(given.environments ?? {}), ...variables.map(({ api }) => api)]
  const { project, workflows } = readWorkflows({ root, cwd, wanted: words, named })
  warnOfVisibleSecrets(project, variables, call)
  const overrides = await readValues(variables)
  const reveal = options.has("reveal")
  const output = options.value("output")
  const command = `callsheet export --to ${target}${output === undefined ? "" : ` --output ${shellWord(output)}`}`
  const place = { root, processEnvironment: environment, scriptEntry: call.scriptEntry }
  return withPorts(place, async ({ user, ...ports }) => {
    const session = new OpenSession({
      project,
      workflows,
      options: withDefaults({ ...given, overrides, processEnvironment: environment, command }, project),
      // Secret references are resolved only to reveal them.
      ports: reveal && user !== undefined ? { ...ports, user } : ports,
      readAllEnvironments: () => readAllEnvironments(project),
    })
    const opened = await session.open()
    return exportWorkflow(target, {
      ...opened,
      name: words[0] ?? "",
      mask: reveal ? (text) => text : opened.secrets.text,
      maskName: reveal ? (name) => name : opened.secrets.name,
      relative: (file) => relativePath(folder, join(root, file)),
      reveal,
      nonce: `cs${randomUUID().replaceAll("-", "")}x`,
    })
  })
}

/** Returns a path with `/`. Paths of links are resolved, so that the result doesn't depend on how a directory is named. */
function relativePath(folder: string, file: string): string {
  const real = (path: string): string => attempt(() => realpathSync(path)) ?? path
  const found = wayBetween(system, real(folder), real(file))
  return found.startsWith(".") ? found : `./${found}`
}
