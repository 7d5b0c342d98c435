// What the server answers of texts of files: it reads them, and writes them where they are what the page has seen.

import { hasErrors, type Project, type SourceFile } from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import { readTextFile, saveTextFile, type TextFile, type WriteOptions } from "@callsheet/project"
import type { FileName, FileSaved, FileText, Input } from "../../api.ts"
import { CallRefused } from "../call-refused.ts"
import type { Handlers } from "../handlers.ts"
import { maskProblems } from "../project/mask-problems.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { checkText } from "./check-text.ts"
import { placeOf } from "./file-parts.ts"
import { holdsSecret } from "./holds-secret.ts"

export interface FileHandlersOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** The bundled entry of the script process, which parses scripts and runs none. */
  readonly scriptEntry: URL
  /** Whether other machines can reach the server: then no script is saved. */
  readonly isRemote: () => boolean
  /** The project as it is now, and what must not be seen of it. */
  readonly overview: () => Promise<{ readonly project: Project; readonly masker: Masker | undefined }>
  /** Files were changed. */
  readonly noteChange: () => void
  /** For tests: how files are written. */
  readonly write?: WriteOptions
}

export interface FileHandlers {
  readonly handlers: Pick<Handlers, "files.read" | "files.save">
}

export function createFileHandlers(options: FileHandlersOptions): FileHandlers {
  return {
    handlers: {
      "files.read": ({ file }) => readFile(options, file),
      "files.save": (input) => saveFile(options, input),
    },
  }
}

async function readFile(options: FileHandlersOptions, file: FileName): Promise<FileText> {
  const place = placeOf(file)
  const found = withoutOutsidePaths(() => readTextFile(options.root, place))
  if (found === undefined)
    throw new CallRefused(404, "file-missing", `${JSON.stringify(place.file)} is not there`)
  await requireShowable(options, file, found.text)
  return { path: place.file, ...found }
}

async function saveFile(options: FileHandlersOptions, input: Input<"files.save">): Promise<FileSaved> {
  const { file, etag, text } = input
  const { root } = options
  if (file.kind === "script" && options.isRemote()) throw scriptRefusal()
  const place = placeOf(file)
  const now = withoutOutsidePaths(() => readTextFile(root, place))
  if (now?.text === text) return { etag: now.etag }
  await requireSound(options, file, { file: place.file, text })
  const saved = await saveTextFile({ root, ...place, etag, text }, options.write)
  if (saved.do === "changed") throw await changed(options, file, saved.current)
  options.noteChange()
  return { etag: saved.etag }
}

/** Throws 422 where the text breaks the format of its kind. */
async function requireSound(options: FileHandlersOptions, file: FileName, source: SourceFile): Promise<void> {
  const { project, masker } = await options.overview()
  const { scriptEntry } = options
  const found = await checkText({
    file,
    source,
    scriptEntry,
    environmentFiles: (api) => environmentFilesOf(project, api),
  })
  if (!hasErrors(found)) return
  const problems = maskProblems(found, masker)
  const first = problems.find(({ severity }) => severity === "error")
  throw new CallRefused(422, first?.code ?? "field-value", first?.message ?? "the text breaks the format", {
    problems,
  })
}

function environmentFilesOf(project: Project, api: string): readonly SourceFile[] {
  const files = project.apis.get(api)?.environments
  if (files === undefined) return []
  const values = [...files.environments.values()].map(({ valueFile }) => valueFile)
  return files.schemaFile === undefined ? values : [files.schemaFile, ...values]
}

async function changed(options: FileHandlersOptions, file: FileName, current: TextFile | null) {
  const isHidden = current !== null && (await hidesSecret(options, file, current.text))
  return new CallRefused(409, "file-changed", "another program has changed the file since it was read", {
    hint: "nothing was written",
    ...(isHidden ? {} : { current }),
  })
}

/** Of files of environments: a value of a secret there is shown by no text. */
async function hidesSecret(options: FileHandlersOptions, file: FileName, text: string): Promise<boolean> {
  if (file.kind !== "environment" && file.kind !== "schema") return false
  const { project, masker } = await options.overview()
  const variables = project.apis.get(file.api)?.environments.variables ?? new Map()
  return holdsSecret({ text, masker, isSchema: file.kind === "schema", variables })
}

async function requireShowable(options: FileHandlersOptions, file: FileName, text: string): Promise<void> {
  if (!(await hidesSecret(options, file, text))) return
  const path = JSON.stringify(placeOf(file).file)
  throw new CallRefused(403, "secret-committed", `${path} holds the value of a secret, and is not shown`, {
    hint: "open it in your editor",
  })
}

const scriptRefusal = (): CallRefused =>
  new CallRefused(
    403,
    "remote-refused",
    "no script is saved while other machines can reach the application",
    { hint: "start it without --host, or use your editor" },
  )
