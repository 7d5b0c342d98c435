// Creates, renames and deletes the files of saved requests.

import type { ChangePreview, FileName } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { UserError, throwNameTaken } from "../../connection/fault-of.ts"
import { queryClient } from "../../connection/query-client.ts"
import { fileKey } from "../../files/file-key.ts"
import { closeFile, dirtyFilesNow, discardDraft } from "../../files/open-files.ts"
import { textToSave } from "../../files/text-to-save.ts"
import { goTo } from "../../routes/use-route.ts"
import { closeTab, renameTab } from "../../routes/open-tabs.ts"
import type { RequestName } from "./request-names.ts"

export const requestFileName = (
  api: string,
  { resource, request }: RequestName,
): FileName & { readonly kind: "request" } => ({ kind: "request", api, resource, request })

/** Writes a new file and goes to it, after a question about its passwords. Rejects if it fails. */
export async function createRequest(api: string, name: RequestName, text: string): Promise<void> {
  const file = requestFileName(api, name)
  const saved = await textToSave(file, text, undefined)
  if (saved === undefined) throw new UserError("Nothing was saved.")
  await call("files.save", { file, etag: null, text: saved }).catch(throwNameTaken)
  // The route needs a known request, so read the project first.
  await queryClient.invalidateQueries({ queryKey: ["project"] })
  goTo({ kind: "request", api, ...name })
}

export async function planRequestName(
  api: string,
  from: RequestName,
  to: RequestName,
): Promise<ChangePreview> {
  const file = requestFileName(api, from)
  const key = fileKey(file)
  if (from.resource === to.resource && from.request === to.request)
    throw new UserError("That is already its name.")
  if (dirtyFilesNow().some((dirty) => fileKey(dirty) === key))
    throw new UserError("Save or discard the changes first.")
  const { etag } = await call("files.read", { file })
  return call("files.planRename", { file, etag, to: requestFileName(api, to) })
}

export async function requestWasRenamed(api: string, from: RequestName, to: RequestName): Promise<void> {
  closeFile(requestFileName(api, from))
  await queryClient.invalidateQueries({ queryKey: ["project"] })
  renameTab({ kind: "request", api, ...from }, { kind: "request", api, ...to })
}

/** Deletes the file and its unsaved changes. Rejects if it fails. */
export async function deleteRequest(api: string, name: RequestName): Promise<void> {
  const file = requestFileName(api, name)
  discardDraft(file)
  const { etag } = await call("files.read", { file })
  await call("files.remove", { file, etag })
  closeTab({ kind: "request", api, ...name }, { kind: "api", api })
  await queryClient.invalidateQueries({ queryKey: ["project"] })
}
