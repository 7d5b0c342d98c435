// Answers `drafts.keep`.

import type { DraftKept, Input } from "../../api.ts"
import { requireShowable, type Desk } from "./desk.ts"

/** A text of environments that may not be shown is not kept; another one with a secret in it is on no disk. */
export async function keepDraft(desk: Desk, { file, etag, text }: Input<"drafts.keep">): Promise<DraftKept> {
  await requireShowable(desk, file, text)
  const { masker } = await desk.overview()
  const where = masker?.occursIn(text) === true ? "memory" : "disk"
  const keptAt = (desk.now?.() ?? new Date()).toISOString()
  return { kept: desk.drafts.keep(file, { text, etag, keptAt }, where) }
}
