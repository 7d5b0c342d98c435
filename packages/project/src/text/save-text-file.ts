// Writes the text of one file, whole, where it still is what the change was made from.

import { dirname, join } from "node:path"
import { CallsheetError, TWIN_HINT } from "@callsheet/format"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { nodeDisk } from "../write/disk.ts"
import { ensureFolder, locateEntry, type WriteScope } from "../write/write-scope.ts"
import { etagOf, findText, findTwin, type FoundText, type TextFile, type TextPlace } from "./text-place.ts"

export interface SaveTextRequest extends TextPlace {
  readonly root: string
  /** Of the file that the text was made from; null where there was none. */
  readonly etag: string | null
  /** Without a byte order mark: a file that has one keeps it. */
  readonly text: string
}

/** `changed`: nothing was written, and this is what stands there. */
export type SavedText =
  | { readonly do: "saved"; readonly etag: string }
  | { readonly do: "changed"; readonly current: TextFile | null }

/**
 * Compares under the project's lock, at the last moment. A text that stands there already is saved, whatever the etag. Folders
 * on the way to a new file are made. Throws `file-twin`, what `readTextFile` throws, and as `changeProject` does.
 */
export async function saveTextFile(
  request: SaveTextRequest,
  options: WriteOptions = {},
): Promise<SavedText & Changed> {
  const { root, file } = request
  const { disk = nodeDisk } = options
  const made: string[] = []
  const plan = (scope: WriteScope) => planSave(scope, request, made)
  try {
    return await changeProject<SavedText>({ root, folders: foldersOf(file), plan }, options)
  } catch (error) {
    for (const folder of made.toReversed()) removeIfEmpty(() => disk.rmdirSync(join(root, folder)))
    throw error
  }
}

function planSave(scope: WriteScope, request: SaveTextRequest, made: string[]) {
  const { file, etag } = request
  const title = `save ${JSON.stringify(file)}`
  const done = (result: SavedText) => ({ change: { title, steps: [] }, result })
  const before = findText(scope.project, request)
  const bytes = bytesOf(request.text, before)
  if (before !== undefined && Buffer.compare(before.bytes, bytes) === 0)
    return done({ do: "saved", etag: before.etag })
  if ((before?.etag ?? null) !== etag)
    return done({
      do: "changed",
      current: before === undefined ? null : { text: before.text, etag: before.etag },
    })
  if (before === undefined) requireFree(scope, file)
  for (const folder of foldersOf(file)) makeFolder(scope, folder, made)
  const step = { do: "replace", file, bytes, before: before?.bytes, isSecret: false } as const
  return { change: { title, steps: [step] }, result: { do: "saved", etag: etagOf(bytes) } as const }
}

function bytesOf(text: string, before: FoundText | undefined): Uint8Array {
  return new TextEncoder().encode(before?.hasMark === true ? `\ufeff${text}` : text)
}

/** Throws where a disk that does not tell upper from lower case would take another file for this one. */
function requireFree({ project }: WriteScope, file: string): void {
  const twin = findTwin(project, file)
  if (twin === undefined) return
  const message = `${JSON.stringify(file)} and ${JSON.stringify(twin)}, which is there, differ in case, or in how an accent is written, alone`
  throw new CallsheetError("file-twin", message, { hint: TWIN_HINT })
}

/** `a/b/c.json` stands in `a` and `a/b`. */
function foldersOf(file: string): readonly string[] {
  const names = dirname(file).split("/")
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

function makeFolder(scope: WriteScope, folder: string, made: string[]): void {
  // It says what is wrong where a file or a link is in the way.
  const before = locateEntry(scope, folder).stats
  ensureFolder(scope, folder)
  if (before === undefined) made.push(folder)
}

function removeIfEmpty(remove: () => void): void {
  try {
    remove()
  } catch {
    // Something stands in it: it stays.
  }
}
