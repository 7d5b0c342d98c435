// `callsheet import`: reads the collections of other tools and adds their requests to a project.

import * as system from "node:path"
import { createSecretSearch, makeFolder } from "@callsheet/engine"
import { CallsheetError, givenPath } from "@callsheet/format"
import {
  makeImport,
  MAX_WORKFLOW_BLOCKS,
  needAttention,
  describeSharedAuth,
  secretsByCause,
  type ImportChangeSet,
} from "@callsheet/interop"
import {
  findApi,
  findEnvironments,
  findProjectRoot,
  isProjectRoot,
  placeFiles,
  recoverProject,
} from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import type { Options } from "../args/options.ts"
import type { ImportedRun } from "../import/run-imported.ts"
import { allowedFolder, openDocument, openNear, readNamed } from "../import/named-files.ts"
import { folderOf, readWords, realPathOf } from "../import/read-words.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { reportRecovery } from "../open-root.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printLosses } from "../text/losses.ts"
import { foldPaths } from "../text/fold-paths.ts"
import { printable } from "../text/printable.ts"

/** Imports the sources. Returns 1 if something isn't as in the source, or is left to do, otherwise 0. */
export const importSources: Command = async (call) => {
  const { options, words, cwd, environment } = call
  await checkRunOptions(options)
  const allowed = allowedFolder(options.value("files"), cwd)
  const sources = await readWords(words, cwd)
  const root = rootOf(call)
  const folder = folderOf(
    words.find((word) => word !== "-"),
    cwd,
  )
  const planned = await makeImport({
    sources,
    api: options.value("api"),
    document: options.value("document"),
    openDocument: (given) =>
      given === "-"
        ? { file: "document", text: standardInputIn(sources) }
        : openDocument(given, realPathOf(given, cwd)),
    openNear: (path) => openNear(folder, path),
    environments: findEnvironments(root),
    processEnvironment: environment,
    createSearch: createSecretSearch,
    readApi: (api, documents) => findApi(root, api, documents),
    readFile: (path) => readNamed({ folder, allowed, cwd }, path),
  })
  const { files, interrupted } = await write(call, root, planned)
  if (!options.has("run") || interrupted !== undefined) {
    print(call, { planned, files })
    return interrupted ?? exitCodeOf(planned)
  }
  return printAndRun(call, root, { planned, files })
}

/** Writes the files. Returns them, and the exit code for an interrupt. */
const write = (call: CommandCall, root: string, { files: planned }: ImportChangeSet) =>
  withInterrupts(call.exit, async ({ exitCode }) => {
    // Without files, the project may not exist, and stays so.
    const writes = !call.options.has("dry-run") && planned.length > 0
    if (writes) {
      makeFolder(root)
      if (isProjectRoot(root)) reportRecovery(await recoverProject(root), call.screen.err)
    }
    const { files } = await placeFiles({
      root,
      title: "import requests",
      files: planned,
      force: call.options.has("force"),
      isDryRun: !writes,
    })
    return { files, interrupted: exitCode() }
  })

/** Runs what was imported. The JSON has the result of both. */
async function printAndRun(call: CommandCall, root: string, imported: Imported): Promise<number> {
  const { planned } = imported
  const isJson = call.options.has("json")
  if (!isJson) print(call, imported)
  const { runImported, summaryOf } = await import("../import/run-imported.ts")
  const ran = await runImported(call, root, planned)
  if (isJson) print(call, { ...imported, ran })
  else call.screen.out.write(`${printable(summaryOf(ran, planned))}\n`)
  return Math.max(exitCodeOf(planned), ran.exitCode)
}

/** Options of the run, which begins when the files are written, so that it's too late then to refuse them. */
async function checkRunOptions(options: Options): Promise<void> {
  if (!options.has("run")) {
    const other = ["env", "yes"].find((name) => options.has(name))
    if (other !== undefined) throw new CallsheetError(messages.usage.withoutRun(`--${other}`))
  } else if (options.has("dry-run"))
    throw new CallsheetError(messages.usage.contradiction("--run", "--dry-run"))
  else (await import("./read-run-options.ts")).readBinding(options)
}

const exitCodeOf = ({ losses }: ImportChangeSet): number => (needAttention(losses) ? 1 : 0)

const standardInputIn = (sources: Awaited<ReturnType<typeof readWords>>): string =>
  sources.flatMap((source) => (source.file === "-" && "text" in source ? [source.text] : [])).join("")

/** Returns the project's root: `--into`, the nearest project, or the working directory, where a new one is created. */
function rootOf({ cwd, options }: CommandCall): string {
  const [into, project] = [options.value("into"), options.value("project")]
  if (into !== undefined && project !== undefined)
    throw new CallsheetError(messages.usage.contradiction("--into", "--project"))
  const given = into ?? project
  return given === undefined ? (findProjectRoot(cwd) ?? cwd) : givenPath(system, cwd, given)
}

/** The lines that the list of written files may have. `--dry-run` lists all. */
const MAX_FILES = 12

interface Imported {
  readonly planned: ImportChangeSet
  readonly files: readonly string[]
  readonly ran?: ImportedRun
}

const print = (call: CommandCall, imported: Imported): void =>
  (call.options.has("json") ? printJson : printText)(call, imported)

function printJson({ screen }: CommandCall, { planned, files, ran }: Imported): void {
  const { source, requests, operations, saved, workflows, losses, untranslated, unset } = planned
  const { sharedAuth, secrets } = planned
  const run = ran && { run: { ...ran.answers, exitCode: ran.exitCode, scripts: untranslated, unset } }
  const counts = { source, requests, operations, saved }
  screen.out.write(
    jsonDocument({ ...counts, workflows, files, losses, sharedAuth, secrets, ...run }),
    "exact",
  )
}

function printText({ options, screen: { out, err } }: CommandCall, { planned, files }: Imported): void {
  const isDryRun = options.has("dry-run")
  const { requests, operations, saved, workflows, suites, losses, sharedAuth, secrets } = planned
  const { unset, api, added, source } = planned
  const isEmpty = added === undefined && operations + saved === 0
  const summary = isEmpty
    ? notices.importedNothing(source, requests)
    : added === undefined
      ? notices.imported(requests, operations, saved, workflows.length)
      : notices.importedApi(api, added.operations, added.environments, isDryRun)
  // A document that is already there adds nothing.
  if (added === undefined || files.length > 0) out.write(`${summary}\n`)
  if (suites.size > 0) out.write(`${notices.importedSuites([...suites.keys()], MAX_WORKFLOW_BLOCKS)}\n`)
  if (!isEmpty || files.length > 0) out.write(`${notices.importedFiles(files.length, isDryRun)}\n`)
  const listed = isDryRun ? files : foldPaths(files, MAX_FILES)
  out.write(listed.map((file) => `  ${printable(file)}\n`).join(""))
  printLosses(out, losses, notices.losses)
  for (const shared of sharedAuth) out.write(`${printable(describeSharedAuth(shared))}\n`)
  if (secrets.length > 0) out.write(`${notices.importedSecrets(secretsByCause(secrets))}\n`)
  if (unset.length > 0) err.write(`${notices.unsetVariables(unset)}\n`)
}
