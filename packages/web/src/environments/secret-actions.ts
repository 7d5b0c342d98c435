// Copies and reveals what a cell holds, and says at the cell how that went.

import { announce } from "../parts/announcement.tsx"
import type { CellPlace } from "./cell-drafts.ts"
import { faultOf } from "../connection/fault-of.ts"
import { endFlash, flashAt } from "./flash.ts"
import { copyText, copyValue, reveal } from "./reveal.ts"

const refused = {
  message: "The browser does not let this page copy.",
  hint: "Allow the page to use the clipboard, and copy again.",
}

/** Of a secret without showing it; of other variables what is shown. */
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
