// Copies and reveals values of cells, and shows the outcome at the cell.

import { announce } from "../ui/announcement.tsx"
import type { CellPlace } from "./cell-drafts.ts"
import { faultOf } from "../connection/fault-of.ts"
import { endFlash, flashAt } from "./flash.ts"
import { copyText, copyValue, reveal } from "./reveal.ts"

const refused = {
  message: "The browser blocked copying.",
  hint: "Allow this page to use the clipboard, then copy again.",
}

/** Copies a secret without showing it. For other variables, copies the shown value. */
export function copyCell(place: CellPlace, shown?: string): void {
  ;(shown === undefined ? copyValue(place) : copyText(shown)).then(
    (outcome) => {
      if (outcome === "refused") return flashAt(place, refused, true)
      flashAt(place, { message: "Copied" }, false)
      announce("Copied")
    },
    (error: unknown) => flashAt(place, faultOf(error), true),
  )
}

export function revealCell(place: CellPlace): void {
  endFlash()
  reveal(place).catch((error: unknown) => flashAt(place, faultOf(error), true))
}
