// A short message at a cell: its value was copied, or why it wasn't.

import { create } from "zustand"
import type { CellPlace } from "./cell-drafts.ts"
import type { CellFault } from "./cell-drafts.ts"

export interface Flash extends CellFault {
  readonly place: CellPlace
  readonly isBad: boolean
}

export const useFlash = create<{ readonly flash: Flash | undefined }>(() => ({ flash: undefined }))

let timer: ReturnType<typeof setTimeout> | undefined

/** An error stays until the user moves on. */
export function flashAt(place: CellPlace, fault: CellFault, isBad: boolean): void {
  clearTimeout(timer)
  useFlash.setState({ flash: { place, isBad, ...fault } })
  if (!isBad) timer = setTimeout(endFlash, 1500)
}

export function endFlash(): void {
  clearTimeout(timer)
  if (useFlash.getState().flash !== undefined) useFlash.setState({ flash: undefined })
}
