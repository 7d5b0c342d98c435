// The last import of this page, for the checklist of what is left to do.

import { create } from "zustand"
import type { ImportPreview } from "@callsheet/server/calls"

interface Imported {
  /** Undefined before an import, and after the user closed the list. */
  readonly plan: ImportPreview | undefined
}

export const useImported = create<Imported>(() => ({ plan: undefined }))

export const showImported = (plan: ImportPreview | undefined): void => useImported.setState({ plan })
