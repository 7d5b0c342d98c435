// Moves the account in a URL to the request's authentication: a base URL, and names made from it, must show no password.

import type { Auth, Folder, Request } from "../model.ts"
import { splitBase } from "../read/url.ts"
import { decodeForm } from "../text.ts"

/** Returns the folder with requests whose URLs have no account. The authentication of a request itself wins. */
export function moveAccounts(folder: Folder, inherited: Auth = { kind: "none" }): Folder {
  const auth = folder.auth ?? inherited
  const items = folder.items.map((item) =>
    item.kind === "folder" ? moveAccounts(item, auth) : moveAccount(item, auth),
  )
  return { ...folder, items }
}

function moveAccount(request: Request, inherited: Auth): Request {
  const { url, auth = inherited } = request
  const { scheme, account, host } = splitBase(url.base)
  if (account === undefined) return request
  const moved = { ...request, url: { ...url, base: `${scheme}${host}` } }
  const [username = "", ...password] = decodeForm(account).split(":")
  return auth.kind === "none"
    ? { ...moved, auth: { kind: "basic", username, password: password.join(":") } }
    : moved
}
