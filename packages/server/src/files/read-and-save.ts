// Answers `files.read` and `files.save`. Checks text before it is saved. Replaces only the version that the page has
// seen.

import { statSync } from "node:fs"
import { join } from "node:path"
import {
  CallsheetError,
  checkBaseline,
  checkProjectFile,
  checkSavedRequest,
  checkWorkflow,
  hasErrors,
  type Problem,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import {
  openProject,
  readEnvironments,
  readTextFile,
  saveTextFile,
  type TextFile,
  type TextPlace,
} from "@callsheet/project"
import { messages } from "../messages.ts"
import { CallRefused } from "../handlers.ts"
import type { Draft, FileName, FileText, Input, Saved } from "../calls/index.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { hidesSecret, placeOf, refuseSecrets, type FileContext } from "./file-context.ts"
import { problemsOfScript } from "./script-parser.ts"

/** Reads a file and its draft. Throws 404 if neither exists. */
export async function readFile(context: FileContext, file: FileName): Promise<FileText> {
  const place = placeOf(file)
  const found = withoutOutsidePaths(() => readTextFile(context.root, place))
  const draft = await shownDraft(context, file, found)
  if (found === undefined && draft === undefined)
    throw new CallRefused(404, messages["file-missing"].file(place.file))
  if (found !== undefined) await refuseSecrets(context, file, found.text)
  const { text, etag } = found ?? { text: "", etag: null }
  return { path: place.file, text, etag, ...(draft === undefined ? {} : { draft }) }
}

/** Returns the draft to show. Hides it if it now contains a secret. Drops it if it equals the saved file. */
async function shownDraft(
  context: FileContext,
  file: FileName,
  found: TextFile | undefined,
): Promise<Draft | undefined> {
  const draft = context.drafts.read(file)
  if (draft === undefined) return undefined
  if (draft.text !== found?.text) return (await hidesSecret(context, file, draft.text)) ? undefined : draft
  context.drafts.drop(file)
  return undefined
}

/** Saves a file. Throws 403, 409 and 422, and `write-failed` if the disk fails. */
export async function saveFile(context: FileContext, input: Input<"files.save">): Promise<Saved> {
  const { file, etag, text } = input
  const { root, drafts } = context
  if (file.kind === "script" && context.isRemote()) throw scriptRefusal()
  const place = placeOf(file)
  const draft = drafts.read(file)
  const now = withoutOutsidePaths(() => readTextFile(root, place))
  if (now?.text !== text) await requireSound(context, file, { file: place.file, text })
  const isWritten = file.kind === "script" && (await isOwnScript(context, input))
  const saved = await saveTextFile({ root, ...place, etag, text }, context.write)
  if (saved.do === "changed") throw await fileChanged(context, file, saved.current)
  dropDraft(context, input, draft)
  if (saved.files.length > 0) {
    if (isWritten) context.trustText?.(place.file, text)
    context.noteChange()
  }
  return { etag: saved.etag }
}

/** Drops the saved draft. Keeps a newer one, because the user may type during the save. */
function dropDraft(
  { drafts }: FileContext,
  { file, text }: Input<"files.save">,
  before: Draft | undefined,
): void {
  const draft = drafts.read(file)
  const isOld = draft?.text === before?.text && draft?.keptAt === before?.keptAt
  if (draft !== undefined && (isOld || draft.text === text)) drafts.drop(file)
}

/**
 * Returns whether saving approves the script. It doesn't approve a copy of another script, which nobody may have read.
 */
async function isOwnScript(
  context: FileContext,
  { file, etag, text }: Input<"files.save">,
): Promise<boolean> {
  if (etag !== null) return true
  const { project } = await context.overview()
  return !isCopiedScript(project, { file: placeOf(file).file, text })
}

async function requireSound(context: FileContext, file: FileName, source: SourceFile): Promise<void> {
  const found = await checkText(context, file, source)
  if (!hasErrors(found)) return
  const problems = maskProblems(found, (await context.overview()).masker)
  const first = problems.find(({ severity }) => severity === "error")
  if (first !== undefined) throw new CallRefused(422, { ...first, hint: undefined }, { problems })
}

export async function fileChanged(context: FileContext, file: FileName, current: TextFile | null) {
  const isHidden = current !== null && (await hidesSecret(context, file, current.text))
  return new CallRefused(409, messages["file-changed"].file(), isHidden ? {} : { current })
}

export const scriptRefusal = (): CallRefused => new CallRefused(403, messages["remote-refused"].script())

async function checkText(
  { root, parser }: FileContext,
  file: FileName,
  source: SourceFile,
): Promise<readonly Problem[]> {
  switch (file.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "script":
      return problemsOfScript(source, await parser.describe(source.text))
    case "project":
      return checkProjectFile(source).problems
    case "baseline":
      return checkBaseline(source).problems
    case "schema":
    case "environment":
      // Other files of the API are part of the check, but not their own problems.
      return readEnvironments(openProject(root), file.api, source).problems.filter(
        (one) => one.file === source.file,
      )
  }
}

/** Returns whether a new script is a copy of another one. Reads only scripts of the same length. */
function isCopiedScript({ root, scriptNames }: Project, { file: path, text }: SourceFile): boolean {
  const length = Buffer.byteLength(text)
  return [...scriptNames].some(([workflow, names]) =>
    names.some((script) => {
      const place = placeOf({ kind: "script", workflow, script })
      if (place.file === path) return false
      const size = statSync(join(root, place.file), { throwIfNoEntry: false })?.size
      // A byte order mark takes three bytes and isn't part of the text.
      return (size === length || size === length + 3) && textAt(root, place) === text
    }),
  )
}

export function textAt(root: string, place: TextPlace): string | undefined {
  try {
    return readTextFile(root, place)?.text
  } catch (error) {
    if (error instanceof CallsheetError) return undefined
    throw error
  }
}
