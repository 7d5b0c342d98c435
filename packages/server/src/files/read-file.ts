// Answers `files.read`.

import { readTextFile, type TextFile } from "@callsheet/project"
import type { Draft, FileName, FileText } from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { hidesSecret, requireShowable, type Desk } from "./desk.ts"
import { placeOf } from "./file-parts.ts"

/** Throws 404 where there is neither the file nor a draft. */
export async function readFile(desk: Desk, file: FileName): Promise<FileText> {
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
