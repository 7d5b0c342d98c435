// Answers `drafts.keep`.

import type { Masker } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import type { DraftKept, Input } from "../calls/index.ts"
import { requireShowable, type Desk } from "./desk.ts"

type KeepDraft = (input: Input<"drafts.keep">) => Promise<DraftKept>

/** A text of environments that may not be shown is not kept; another one with a secret in it is on no disk. */
export function createDraftKeeping(desk: Desk): KeepDraft {
  let known: Masker | undefined
  /** Secrets that were known count while git or somebody else has their files away. */
  const mayHoldSecret = async (text: string): Promise<boolean> => {
    known = (await maskerOf(desk)) ?? known
    return known?.occursIn(text) === true
  }
  return async ({ file, etag, text }) => {
    await requireShowable(desk, file, text)
    const where = (await mayHoldSecret(text)) ? "memory" : "disk"
    const keptAt = (desk.now?.() ?? new Date()).toISOString()
    return { kept: desk.drafts.keep(file, { text, etag, keptAt }, where) }
  }
}

async function maskerOf({ overview }: Desk): Promise<Masker | undefined> {
  try {
    return (await overview()).masker
  } catch (error) {
    // The project is not there: what was typed is kept all the same.
    if (error instanceof CallsheetError) return undefined
    throw error
  }
}
