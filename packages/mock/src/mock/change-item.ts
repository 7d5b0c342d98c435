// Changes a stored item as the body of a request says: by its members, a merge patch or a JSON Patch.

import { essence, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { headerOf, readContent } from "./incoming.ts"
import type { Acting } from "./item-maker.ts"
import { sentItem } from "./item-values.ts"
import { applyJsonPatch, applyMergePatch } from "./json-patch.ts"
import { messages } from "./messages.ts"

export type Change =
  | { readonly is: "made"; readonly item: JsonObject }
  /** The statuses that fit, the best first. */
  | { readonly is: "refused"; readonly statuses: readonly number[]; readonly detail: string }

/** Changes an item as a request to `update` or `replace` says. Undefined if its body isn't one for items. */
export function changeOf(
  { incoming, own }: Acting,
  role: "update" | "replace",
  old: JsonObject,
): Change | undefined {
  const content = readContent(incoming)
  const type = essence(headerOf(incoming, "content-type") ?? "")
  if (content.is === "json" && type === "application/json-patch+json") return patchOf(old, content.value)
  const sent = content.is === "none" ? {} : sentItem(content.value, own.place)
  if (sent === undefined) return undefined
  if (role === "replace") return { is: "made", item: sent }
  const isMerge = type === "application/merge-patch+json"
  return { is: "made", item: isMerge ? applyMergePatch(old, sent) : { ...old, ...sent } }
}

function patchOf(old: JsonObject, patch: JsonValue): Change {
  const patched = applyJsonPatch(old, patch)
  const texts = messages["mock-refused"]
  if (!patched.ok) {
    const { fault, at, pointer } = patched
    const statuses = fault === "invalid" ? [400, 422] : [409, 422, 400]
    return { is: "refused", statuses, detail: texts.patch(fault, at + 1, pointer).message }
  }
  const { value } = patched
  return isJsonObject(value)
    ? { is: "made", item: value }
    : { is: "refused", statuses: [422, 400], detail: texts.patchedAway().message }
}
