// What is wrong with a body as a whole: of another media type than any that is documented, or no JSON.

import { parseJson, type JsonValue } from "@callsheet/format"
import type { MediaType } from "../../document/content.ts"

/** `undefined`: there came no content type at all. */
export const otherMediaType = (documented: readonly MediaType[], contentType: string | undefined): string =>
  `expected ${documented.map(({ name }) => name).join(", ")}, came ${contentType ?? "no content type"}`

export function notJson(body: JsonValue): string {
  const parsed = typeof body === "string" ? parseJson(body) : undefined
  const offset = parsed === undefined || parsed.ok ? undefined : parsed.findings[0]?.offset
  return `expected JSON, came what is not JSON${offset === undefined ? "" : ` from character ${offset + 1} on`}`
}
