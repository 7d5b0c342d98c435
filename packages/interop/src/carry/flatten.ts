// Lists the requests of a collection with what they inherit from their folders.

import type { Auth, Folder, Request, Script } from "../model.ts"

export interface FlatRequest {
  readonly request: Request
  /** The folders around the request, without the collection itself. */
  readonly folders: readonly Folder[]
  readonly auth: Auth
  /** The scripts that run before and after the request, in order. */
  readonly scripts: readonly Script[]
}

export function flatten(root: Folder): readonly FlatRequest[] {
  const flat: FlatRequest[] = []
  const visit = (
    folder: Folder,
    folders: readonly Folder[],
    inherited: Auth,
    scripts: readonly Script[],
  ): void => {
    const auth = folder.auth ?? inherited
    const all = [...scripts, ...folder.scripts]
    for (const item of folder.items) {
      if (item.kind === "folder") visit(item, [...folders, item], auth, all)
      else flat.push({ request: item, folders, auth: item.auth ?? auth, scripts: [...all, ...item.scripts] })
    }
  }
  visit(root, [], { kind: "none" }, [])
  return flat
}

/** Changes the requests of a folder and of the folders in it. */
export const mapRequests = (folder: Folder, change: (request: Request) => Request): Folder => ({
  ...folder,
  items: folder.items.map((item) => (item.kind === "folder" ? mapRequests(item, change) : change(item))),
})
