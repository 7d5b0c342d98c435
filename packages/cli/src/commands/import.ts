// `callsheet import`: reads the collections of other tools and adds their requests to a project.

import { realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { makeFolder } from "@callsheet/engine"
import { attempt, CallsheetError, type SourceFile } from "@callsheet/format"
import {
  interopMessages,
  planImport,
  type GivenDocument,
  type PlannedImport,
  type SourceBytes,
} from "@callsheet/interop"
import {
  createFileReader,
  findApi,
  findProjectRoot,
  isProjectRoot,
  openProject,
  placeFiles,
  readProjectFile,
  recoverProject,
} from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { reportRecovery } from "../open-root.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"

/** Imports the sources. Returns 1 if something wasn't carried over whole, otherwise 0. */
export const importSources: Command = async (call) => {
  const { options, words, cwd, screen } = call
  const sources = await readWords(words, cwd)
  const root = rootOf(call)
  const folder = dirname(
    realPathOf(
      words.find((word) => word !== "-"),
      cwd,
    ),
  )
  const planned = await planImport({
    sources,
    api: options.value("api"),
    document: options.value("document"),
    openDocument: (given) =>
      given === "-" ? { file: "document", text: sources[0]?.text ?? "" } : openDocument(given, cwd),
    readApi: (api, documents) => findApi(root, api, documents),
    readFile: (path) => readNear(folder, path),
  })
  const isDryRun = options.has("dry-run")
  return withInterrupts(call.exit, async ({ exitCode }) => {
    if (!isDryRun) {
      makeFolder(root)
      if (isProjectRoot(root)) reportRecovery(await recoverProject(root), screen.err)
    }
    const { files } = await placeFiles({
      root,
      title: "import requests",
      files: planned.files,
      force: options.has("force"),
      isDryRun,
    })
    const print = options.has("json") ? printJson : printText
    print(call, { planned, files, isDryRun })
    return exitCode() ?? (planned.losses.length > 0 ? 1 : 0)
  })
}

const realPathOf = (word: string | undefined, cwd: string): string =>
  word === undefined
    ? join(cwd, "-")
    : (attempt(() => realpathSync(resolve(cwd, word))) ?? resolve(cwd, word))

async function readWords(words: readonly string[], cwd: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = []
  for (const word of words) {
    if (word === "-") {
      const { readStandardInput } = await import("../standard-input.ts")
      files.push({ file: "-", text: await readStandardInput("the source", MAX_COPIED_BYTES) })
    } else files.push(readSource(word, cwd))
  }
  return files
}

/** Reads a file by the path as given. The user chose it, so it may be a link. */
function readSource(word: string, cwd: string): SourceFile {
  const path = realPathOf(word, cwd)
  if (attempt(() => statSync(path).isDirectory()) === true)
    throw new CallsheetError(interopMessages["import-source"].unknown(word))
  const read = createFileReader(openProject(dirname(path)))(basename(path))
  if (read.ok) return { file: word, text: read.value.text }
  throw new CallsheetError({ ...read.problem, message: `${printable(word)}: ${read.problem.message}` })
}

/** Returns the project's root: `--into`, the nearest project, or the working directory, where a new one is created. */
function rootOf({ cwd, options }: CommandCall): string {
  const [into, project] = [options.value("into"), options.value("project")]
  if (into !== undefined && project !== undefined)
    throw new CallsheetError(messages.usage.contradiction("--into", "--project"))
  const given = into ?? project
  return given === undefined ? (findProjectRoot(cwd) ?? cwd) : resolve(cwd, given)
}

/** Reads a document. Its other files must be below its directory. */
function openDocument(given: string, cwd: string): GivenDocument {
  const path = realPathOf(given, cwd)
  const readFile = createFileReader(openProject(dirname(path)))
  const read = readFile(basename(path))
  if (!read.ok) throw new CallsheetError({ ...read.problem, message: `${given}: ${read.problem.message}` })
  return { file: basename(path), text: read.value.text, readFile }
}

const MAX_COPIED_BYTES = 16 * 1024 * 1024

/** Reads a file that the collection names. Only files below the directory of the collection are read. */
function readNear(folder: string, path: string): SourceBytes {
  try {
    return { ok: true, bytes: readProjectFile(folder, path, MAX_COPIED_BYTES) }
  } catch (error) {
    const isOutside = error instanceof CallsheetError && error.code === "link-outside"
    return { ok: false, reason: isOutside ? "outside" : "unreadable" }
  }
}

interface Imported {
  readonly planned: PlannedImport
  readonly files: readonly string[]
  readonly isDryRun: boolean
}

function printJson({ screen }: CommandCall, { planned, files }: Imported): void {
  const { source, requests, operations, saved, workflows, losses } = planned
  screen.out.write(jsonDocument({ source, requests, operations, saved, workflows, files, losses }), "exact")
}

function printText({ screen: { out, err } }: CommandCall, { planned, files, isDryRun }: Imported): void {
  const { requests, operations, saved, workflows, losses, unset } = planned
  out.write(`${notices.imported(requests, operations, saved, workflows.length)}\n`)
  out.write(`${notices.importedFiles(files.length, isDryRun)}\n`)
  out.write(files.map((file) => `  ${printable(file)}\n`).join(""))
  if (losses.length > 0) out.write(`${out.style("yellow", notices.losses(losses.length))}\n`)
  for (const { where, what, reason } of losses) out.write(`  ${printable(`${where}: ${what}: ${reason}`)}\n`)
  if (unset.length > 0) err.write(`${notices.unsetVariables(unset)}\n`)
}
