// Removes one file where it still is what its caller has seen, with those that belong to it.

import { dirname } from "node:path"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import type { WriteScope } from "../write/write-scope.ts"
import { removeEmptyFolders } from "./make-folders.ts"
import { findText, type TextFile, type TextPlace } from "./text-place.ts"

interface RemoveTextRequest extends TextPlace {
  readonly root: string
  /** Of the file as the caller has seen it. */
  readonly etag: string | null
  /** Paths from the root of files that go with it, all or none. */
  readonly along?: readonly string[]
}

/** `changed`: nothing was removed, and this is what stands there. */
type RemovedText = { readonly do: "removed" } | { readonly do: "changed"; readonly current: TextFile | null }

/**
 * Compares under the project's lock. Of a link the link goes, and what it leads to stays. Folders of scripts and of saved
 * requests that are empty then go too. Throws as `saveTextFile` does.
 */
export async function removeTextFile(
  request: RemoveTextRequest,
  options: WriteOptions = {},
): Promise<RemovedText & Changed> {
  const { root, file, along = [] } = request
  const folders = [".", ...new Set([file, ...along].map((path) => dirname(path)))]
  const plan = (scope: WriteScope) => planRemove(scope, request)
  const afterwards = (scope: WriteScope) => {
    for (const path of [file, ...along]) removeEmptyFolders(scope, path)
  }
  return changeProject<RemovedText>({ root, folders, plan, afterwards }, options)
}

function planRemove({ project }: WriteScope, request: RemoveTextRequest) {
  const { file, etag, along = [] } = request
  const title = `remove ${JSON.stringify(file)}`
  const before = findText(project, request)
  if (before !== undefined && before.etag === etag)
    return {
      change: { title, steps: [...along, file].map((path) => ({ do: "remove", file: path }) as const) },
      result: { do: "removed" } as const,
    }
  const current = before === undefined ? null : { text: before.text, etag: before.etag }
  return { change: { title, steps: [] }, result: { do: "changed", current } as const }
}
