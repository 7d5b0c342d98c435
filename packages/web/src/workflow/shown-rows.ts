// The selection in the visible outline, for commands elsewhere on the page.

import type { JsonPointer } from "@callsheet/format"
import { create } from "zustand"
import type { OutlineRow } from "./block-rows.ts"

interface ShownSelection {
  readonly workflow: string
  readonly row: OutlineRow | undefined
  readonly blocks: readonly JsonPointer[]
}

export const useShownRows = create<{ readonly shown: ShownSelection | undefined }>(() => ({
  shown: undefined,
}))
