// What the server answers of texts of files: it reads them, and writes them where they are what the page has seen.

import { hasErrors, type Project, type SourceFile } from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import { readTextFile, saveTextFile, type TextFile, type WriteOptions } from "@callsheet/project"
import type { Draft, DraftKept, FileName, FileSaved, FileText, Input } from "../../api.ts"
import { CallRefused } from "../call-refused.ts"
import type { Handlers } from "../handlers.ts"
import { maskProblems } from "../project/mask-problems.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { checkText } from "./check-text.ts"
import { createDrafts, type Drafts, type DraftsOptions } from "./drafts.ts"
import { placeOf } from "./file-parts.ts"
import { holdsSecret } from "./holds-secret.ts"

export interface FileHandlersOptions extends DraftsOptions {
  /** The bundled entry of the script process, which parses scripts and runs none. */
  readonly scriptEntry: URL
  /** Whether other machines can reach the server: then no script is saved. */
  readonly isRemote: () => boolean
  /** The project as it is now, and what must not be seen of it. */
  readonly overview: () => Promise<{ readonly project: Project; readonly masker: Masker | undefined }>
  /** Files were changed. */
  readonly noteChange: () => void
  /** The person has written this script. `path` is from the root of the project. */
  readonly trustText?: (path: string, text: string) => void
  /** The time that drafts are dated with. */
  readonly now?: () => Date
  /** For tests: how files are written. */
  readonly write?: WriteOptions
}

export interface FileHandlers {
  readonly handlers: Pick<
    Handlers,
    "files.read" | "files.save" | "drafts.keep" | "drafts.drop" | "drafts.list"
  >
}

interface Desk extends FileHandlersOptions {
  readonly drafts: Drafts
}

export function createFileHandlers(options: FileHandlersOptions): FileHandlers {
  const desk: Desk = { ...options, drafts: createDrafts(options) }
  const { drafts } = desk
  return {
    handlers: {
      "files.read": ({ file }) => readFile(desk, file),
      "files.save": (input) => saveFile(desk, input),
      "drafts.keep": (input) => keepDraft(desk, input),
      "drafts.drop": async ({ file }) => {
        drafts.drop(file)
        return {}
      },
      "drafts.list": async () => ({ drafts: drafts.list() }),
    },
  }
}

async function readFile(desk: Desk, file: FileName): Promise<FileText> {
  const place = placeOf(file)
  const found = withoutOutsidePaths(() => readTextFile(desk.root, place))
  const draft = await shownDraft(desk, file, found)
  if (found === undefined && draft === undefined)
    throw new CallRefused(404, "file-missing", `${JSON.stringify(place.file)} is not there`)
  if (found !== undefined) await requireShowable(desk, file, found.text)
  const { text, etag } = found ?? { text: "", etag: null }
  return { path: place.file, text, etag, ...(draft === undefined ? {} : { draft }) }
}

/** Not one that was saved by other means, and none that has come to hold a secret. */
async function shownDraft(
  desk: Desk,
  file: FileName,
  found: TextFile | undefined,
): Promise<Draft | undefined> {
  const draft = desk.drafts.read(file)
  if (draft === undefined) return undefined
  if (draft.text !== found?.text) return (await hidesSecret(desk, file, draft.text)) ? undefined : draft
  desk.drafts.drop(file)
  return undefined
}

/** A text of environments that may not be shown is not kept; another one with a secret in it is on no disk. */
async function keepDraft(desk: Desk, { file, etag, text }: Input<"drafts.keep">): Promise<DraftKept> {
  await requireShowable(desk, file, text)
  const { masker } = await desk.overview()
  const where = masker?.occursIn(text) === true ? "memory" : "disk"
  const keptAt = (desk.now?.() ?? new Date()).toISOString()
  return { kept: desk.drafts.keep(file, { text, etag, keptAt }, where) }
}

async function saveFile(desk: Desk, input: Input<"files.save">): Promise<FileSaved> {
  const { file, etag, text } = input
  const { root, drafts } = desk
  if (file.kind === "script" && desk.isRemote()) throw scriptRefusal()
  const place = placeOf(file)
  const now = withoutOutsidePaths(() => readTextFile(root, place))
  if (now?.text !== text) await requireSound(desk, file, { file: place.file, text })
  const saved = await saveTextFile({ root, ...place, etag, text }, desk.write)
  if (saved.do === "changed") throw await changed(desk, file, saved.current)
  drafts.drop(file)
  if (file.kind === "script") desk.trustText?.(place.file, text)
  if (saved.files.length > 0) desk.noteChange()
  return { etag: saved.etag }
}

/** Throws 422 where the text breaks the format of its kind. */
async function requireSound(desk: Desk, file: FileName, source: SourceFile): Promise<void> {
  const { project, masker } = await desk.overview()
  const { scriptEntry } = desk
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

async function changed(desk: Desk, file: FileName, current: TextFile | null) {
  const isHidden = current !== null && (await hidesSecret(desk, file, current.text))
  return new CallRefused(409, "file-changed", "another program has changed the file since it was read", {
    hint: "nothing was written",
    ...(isHidden ? {} : { current }),
  })
}

/** Of files of environments: a value of a secret there is shown by no text. */
async function hidesSecret(desk: Desk, file: FileName, text: string): Promise<boolean> {
  if (file.kind !== "environment" && file.kind !== "schema") return false
  const { project, masker } = await desk.overview()
  const variables = project.apis.get(file.api)?.environments.variables ?? new Map()
  return holdsSecret({ text, masker, isSchema: file.kind === "schema", variables })
}

async function requireShowable(desk: Desk, file: FileName, text: string): Promise<void> {
  if (!(await hidesSecret(desk, file, text))) return
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
