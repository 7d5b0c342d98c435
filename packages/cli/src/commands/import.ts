// `callsheet import`: reads the collections of other tools and adds their requests to a project.

import { realpathSync, statSync } from "node:fs"
import { basename, dirname, extname, join, resolve } from "node:path"
import { makeFolder } from "@callsheet/engine"
import { attempt, CallsheetError, stringifyJson, type ReadFile, type SourceFile } from "@callsheet/format"
import {
  apiNameFor,
  carryOver,
  interopMessages,
  readSources,
  type CarriedOver,
  type PlannedFile,
  type SourceBytes,
} from "@callsheet/interop"
import { bundleDocument, readDocument, type OpenApiDocument } from "@callsheet/openapi"
import {
  createFileReader,
  findProjectRoot,
  isProjectRoot,
  openProject,
  placeFiles,
  readApi,
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
  const collection = await readSources(sources)
  const root = rootOf(call)
  const api = apiNameFor(collection, options.value("api"))
  const alone = collection.source === "openapi" ? collection.root.where : undefined
  const given = options.value("document") ?? alone
  const { document, copy } =
    given === "-"
      ? await copyDocument({ file: "document", text: sources[0]?.text ?? "" }, given, { root, api })
      : await documentFor(given, call.cwd, { root, api })
  const folder = dirname(
    realPathOf(
      words.find((word) => word !== "-"),
      cwd,
    ),
  )
  const carried = carryOver({ collection, api, document, readFile: (path) => readNear(folder, path) })
  const isDryRun = options.has("dry-run")
  return withInterrupts(call.exit, async ({ exitCode }) => {
    if (!isDryRun) {
      makeFolder(root)
      if (isProjectRoot(root)) reportRecovery(await recoverProject(root), screen.err)
    }
    const { files } = await placeFiles({
      root,
      title: "import requests",
      files: [...copy, ...carried.files],
      force: options.has("force"),
      isDryRun,
    })
    const print = options.has("json") ? printJson : printText
    print(call, { source: collection.source, carried, files, isDryRun })
    return exitCode() ?? (carried.losses.length > 0 ? 1 : 0)
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

interface ApiDocument {
  readonly document?: OpenApiDocument | undefined
  /** The copy of `--document`. Empty without it. */
  readonly copy: readonly PlannedFile[]
}

interface Place {
  readonly root: string
  readonly api: string
}

/** Returns the given document or, without one, the document that the API already has. */
async function documentFor(given: string | undefined, cwd: string, place: Place): Promise<ApiDocument> {
  const { root, api } = place
  if (given !== undefined) {
    const path = realPathOf(given, cwd)
    const readFile = createFileReader(openProject(dirname(path)))
    const read = readFile(basename(path))
    if (!read.ok) throw new CallsheetError({ ...read.problem, message: `${given}: ${read.problem.message}` })
    return copyDocument({ file: basename(path), text: read.value.text }, given, place, readFile)
  }
  if (!isProjectRoot(root)) return { copy: [] }
  const { document: source, readFile } = readApi(openProject(root), api, {})
  if (source === undefined) return { copy: [] }
  const { document, problems } = await readDocument(source, { readFile, readsWhole: true })
  const [problem] = problems
  if (document === undefined && problem !== undefined) throw new CallsheetError(problem, { problems })
  return { document, copy: [] }
}

/** Reads a document to copy. Its other files must be below its directory. */
async function copyDocument(
  { file: name, text }: SourceFile,
  given: string,
  { root, api }: Place,
  readFile?: ReadFile,
): Promise<ApiDocument> {
  // The name decides how a document is read, so a file without a known ending gets one by its content.
  const usual = /^\s*\{/.test(text) ? ".json" : ".yaml"
  const ending = /\.(?:json|ya?ml)$/i.exec(name)?.[0].toLowerCase() ?? usual
  const source = { file: basename(name, extname(name)) + ending, text }
  const { document, problems } = await readDocument(source, { readFile, readsWhole: true })
  const refused = interopMessages["import-source"].document(given)
  const renamed = problems.map((problem) => ({ ...problem, file: given }))
  if (document === undefined) throw new CallsheetError(problems[0] ?? refused, { problems: renamed })
  const bundled = bundleDocument(document)
  if (bundled?.ok === false) throw new CallsheetError(bundled.problem)
  const file = `apis/${api}/openapi${bundled === undefined ? ending : ".json"}`
  refuseSecond(root, api, file)
  const copied = bundled === undefined ? text : `${stringifyJson(bundled.value, { indent: 2 })}\n`
  return { document, copy: [{ file, is: "text", text: copied }] }
}

/** Refuses a document whose copy would have another ending than the one that the API has. */
function refuseSecond(root: string, api: string, file: string): void {
  const own = isProjectRoot(root)
    ? readApi(openProject(root), api, { documents: "named" }).documentFile
    : undefined
  if (own !== undefined && own !== file)
    throw new CallsheetError(messages["file-exists"].otherDocument(own, file))
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
  readonly source: string
  readonly carried: CarriedOver
  readonly files: readonly string[]
  readonly isDryRun: boolean
}

function printJson({ screen }: CommandCall, { source, carried, files }: Imported): void {
  const { requests, operations, saved, workflows, losses } = carried
  screen.out.write(jsonDocument({ source, requests, operations, saved, workflows, files, losses }), "exact")
}

function printText({ screen: { out, err } }: CommandCall, { carried, files, isDryRun }: Imported): void {
  const { requests, operations, saved, workflows, losses, unset } = carried
  out.write(`${notices.imported(requests, operations, saved, workflows.length)}\n`)
  out.write(`${notices.importedFiles(files.length, isDryRun)}\n`)
  out.write(files.map((file) => `  ${printable(file)}\n`).join(""))
  if (losses.length > 0) out.write(`${out.style("yellow", notices.losses(losses.length))}\n`)
  for (const { where, what, reason } of losses) out.write(`  ${printable(`${where}: ${what}: ${reason}`)}\n`)
  if (unset.length > 0) err.write(`${notices.unsetVariables(unset)}\n`)
}
