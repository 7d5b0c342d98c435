// Writes the text of one file, whole, where it still is what the change was made from.

import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import type { WriteScope } from "../write/write-scope.ts"
import { foldersOf, makeFolders } from "./make-folders.ts"
import { bytesOf, etagOf, findText, requireNoTwin, type TextFile, type TextPlace } from "./text-place.ts"

interface SaveTextRequest extends TextPlace {
  readonly root: string
  /** Of the file that the text was made from; null where there was none. */
  readonly etag: string | null
  /** Without a byte order mark: a file that has one keeps it. */
  readonly text: string
}

/** `changed`: nothing was written, and this is what stands there. */
type SavedText =
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
  const made = makeFolders(root, file, options.disk)
  const plan = (scope: WriteScope) => planSave(scope, request, made.make)
  return made.cleaningUp(() => changeProject<SavedText>({ root, folders: foldersOf(file), plan }, options))
}

function planSave(scope: WriteScope, request: SaveTextRequest, make: (scope: WriteScope) => void) {
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
  if (before === undefined) requireNoTwin(scope.project, file)
  make(scope)
  const step = { do: "replace", file, bytes, before: before?.bytes, isSecret: false } as const
  return { change: { title, steps: [step] }, result: { do: "saved", etag: etagOf(bytes) } as const }
}
