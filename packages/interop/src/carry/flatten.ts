// Lists the requests of a collection with what they inherit from their folders.

import type { Auth, Folder, Request, Script } from "../model.ts"

export interface FlatRequest {
  readonly request: Request
  /** The folders around the request, without the collection itself. */
  readonly folders: readonly Folder[]
  readonly auth: Auth
  /** The folder or collection that the authentication is from. Undefined if it is the request's own. */
  readonly authOf: Folder | undefined
  /** The scripts that run before and after the request, in order. */
  readonly scripts: readonly Script[]
}

export function flatten(root: Folder): readonly FlatRequest[] {
  const flat: FlatRequest[] = []
  const visit = (
    folder: Folder,
    folders: readonly Folder[],
    inherited: Pick<FlatRequest, "auth" | "authOf">,
    scripts: readonly Script[],
  ): void => {
    const shared = folder.auth === undefined ? inherited : { auth: folder.auth, authOf: folder }
    const all = [...scripts, ...folder.scripts]
    for (const item of folder.items) {
      if (item.kind === "folder") visit(item, [...folders, item], shared, all)
      else if (item.isSent === true)
        flat.push({ request: item, folders, ...ownOf(item), scripts: item.scripts })
      else {
        const own = item.auth === undefined ? shared : { auth: item.auth, authOf: undefined }
        flat.push({ request: item, folders, ...own, scripts: [...all, ...item.scripts] })
      }
    }
  }
  visit(root, [], { auth: { kind: "none" }, authOf: undefined }, [])
  return flat
}

/** A request that a script sends inherits nothing. */
const ownOf = ({ auth = { kind: "none" } }: Request): Pick<FlatRequest, "auth" | "authOf"> => ({
  auth,
  authOf: undefined,
})

/** Changes the requests of a folder and of the folders in it. */
export const mapRequests = (folder: Folder, change: (request: Request) => Request): Folder => ({
  ...folder,
  items: folder.items.map((item) => (item.kind === "folder" ? mapRequests(item, change) : change(item))),
})
