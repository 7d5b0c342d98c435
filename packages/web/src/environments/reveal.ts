// Copies and reveals values of cells, and shows a short message at the cell: its value was copied, or why it wasn't.

import { create } from "zustand"
import { call } from "../connection/call.ts"
import { announce } from "../ui/announcement.tsx"
import { faultOf } from "../connection/fault-of.ts"
import type { CellPlace, CellFault } from "./cell-drafts.ts"

export interface Revealed {
  readonly place: CellPlace
  readonly value: string
}

const revealedForMs = 30_000

export const useRevealed = create<{ readonly shown: Revealed | undefined }>(() => ({ shown: undefined }))

let timer: ReturnType<typeof setTimeout> | undefined
/** The number of the latest request. Answers to earlier requests are ignored. */
let asked = 0

/** Hides the previous secret at once. Rejects if the call fails. */
async function reveal(place: CellPlace): Promise<void> {
  hide()
  const own = asked
  const { value } = await call("secrets.reveal", { ...place, purpose: "show" })
  if (own !== asked || document.hidden) return
  useRevealed.setState({ shown: { place, value } })
  timer = setTimeout(hide, revealedForMs)
}

export function hide(): void {
  asked++
  clearTimeout(timer)
  if (useRevealed.getState().shown !== undefined) useRevealed.setState({ shown: undefined })
}

/** Hides secrets when the page is hidden, until the returned function is called. */
export function hideWhenUnseen(): () => void {
  const onChange = (): void => {
    if (document.hidden) hide()
  }
  window.addEventListener("blur", hide)
  window.addEventListener("pagehide", hide)
  document.addEventListener("visibilitychange", onChange)
  return () => {
    window.removeEventListener("blur", hide)
    window.removeEventListener("pagehide", hide)
    document.removeEventListener("visibilitychange", onChange)
    hide()
  }
}

/** Resolves to whether the browser allowed the copy. Rejects if the server returns no value. */
async function copyValue(place: CellPlace): Promise<"copied" | "refused"> {
  const { value } = await call("secrets.reveal", { ...place, purpose: "copy" })
  return copyText(value)
}

export const copyText = (text: string): Promise<"copied" | "refused"> =>
  navigator.clipboard.writeText(text).then(
    () => "copied" as const,
    () => "refused" as const,
  )

export interface Flash extends CellFault {
  readonly place: CellPlace
  readonly isBad: boolean
}

export const useFlash = create<{ readonly flash: Flash | undefined }>(() => ({ flash: undefined }))

let flashTimer: ReturnType<typeof setTimeout> | undefined

/** An error stays until the user moves on. */
function flashAt(place: CellPlace, fault: CellFault, isBad: boolean): void {
  clearTimeout(flashTimer)
  useFlash.setState({ flash: { place, isBad, ...fault } })
  if (!isBad) flashTimer = setTimeout(endFlash, 1500)
}

export function endFlash(): void {
  clearTimeout(flashTimer)
  if (useFlash.getState().flash !== undefined) useFlash.setState({ flash: undefined })
}

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
