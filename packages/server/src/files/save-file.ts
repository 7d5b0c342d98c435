// Answers `files.save`: the text is checked by itself, and takes its place where that is what the page has seen.

import { hasErrors, type SourceFile } from "@callsheet/format"
import { readTextFile, saveTextFile, type TextFile } from "@callsheet/project"
import type { Draft, FileName, FileSaved, Input } from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import { maskProblems } from "../project/mask-problems.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { checkText } from "./check-text.ts"
import { hidesSecret, type Desk } from "./desk.ts"
import { placeOf } from "./file-parts.ts"
import { isCopiedScript } from "./is-copied-script.ts"

/** Throws 403, 409 and 422; what the disk says is `write-failed`. */
export async function saveFile(desk: Desk, input: Input<"files.save">): Promise<FileSaved> {
  const { file, etag, text } = input
  const { root, drafts } = desk
  if (file.kind === "script" && desk.isRemote()) throw scriptRefusal()
  const place = placeOf(file)
  const draft = drafts.read(file)
  const now = withoutOutsidePaths(() => readTextFile(root, place))
  if (now?.text !== text) await requireSound(desk, file, { file: place.file, text })
  const isWritten = file.kind === "script" && (await isOwnScript(desk, input))
  const saved = await saveTextFile({ root, ...place, etag, text }, desk.write)
  if (saved.do === "changed") throw await changed(desk, file, saved.current)
  dropDraft(desk, input, draft)
  if (saved.files.length > 0) {
    if (isWritten) desk.trustText?.(place.file, text)
    desk.noteChange()
  }
  return { etag: saved.etag }
}

/** Who types on while a text is saved has a newer draft by then: that one stays. */
function dropDraft({ drafts }: Desk, { file, text }: Input<"files.save">, before: Draft | undefined): void {
  const draft = drafts.read(file)
  const isOld = draft?.text === before?.text && draft?.keptAt === before?.keptAt
  if (draft !== undefined && (isOld || draft.text === text)) drafts.drop(file)
}

/** Whoever has written a script knows it; who copies one, as with a whole workflow, may not. */
async function isOwnScript(desk: Desk, { file, etag, text }: Input<"files.save">): Promise<boolean> {
  if (etag !== null) return true
  const { project } = await desk.overview()
  return !isCopiedScript(project, { path: placeOf(file).file, text })
}

/** Throws 422 where the text breaks the format of its kind. */
async function requireSound(desk: Desk, file: FileName, source: SourceFile): Promise<void> {
  const found = await checkText({ root: desk.root, file, source, parser: desk.parser })
  if (!hasErrors(found)) return
  const problems = maskProblems(found, (await desk.overview()).masker)
  const first = problems.find(({ severity }) => severity === "error")
  throw new CallRefused(422, first?.code ?? "field-value", first?.message ?? "the text breaks the format", {
    problems,
  })
}

/** The answer to who has not seen what stands there. */
export async function changed(desk: Desk, file: FileName, current: TextFile | null) {
  const isHidden = current !== null && (await hidesSecret(desk, file, current.text))
  return new CallRefused(409, "file-changed", "another program has changed the file since it was read", {
    hint: "nothing was written",
    ...(isHidden ? {} : { current }),
  })
}

/** The answer to who would change a script from another machine. */
export const scriptRefusal = (): CallRefused =>
  new CallRefused(
    403,
    "remote-refused",
    "no script is saved while other machines can reach the application",
    { hint: "start it without --host, or use your editor" },
  )
