// A secret that somebody asked to see: one at a time, and gone when they look elsewhere or after half a minute.

import { create } from "zustand"
import { call } from "../connection/call.ts"
import type { CellPlace } from "./cell-drafts.ts"

export interface Revealed {
  readonly place: CellPlace
  readonly value: string
}

const revealedForMs = 30_000

export const useRevealed = create<{ readonly shown: Revealed | undefined }>(() => ({ shown: undefined }))

let timer: ReturnType<typeof setTimeout> | undefined
/** Which request is the last: the answer to an earlier one is not shown. */
let asked = 0

/** Rejects as calls do. What was shown before is hidden at once. */
export async function reveal(place: CellPlace): Promise<void> {
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

/** Until the function that it returns is called. */
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

/** The clipboard took it, or the browser does not allow that. Rejects where the server gives no value. */
export async function copyValue(place: CellPlace): Promise<"copied" | "refused"> {
  const { value } = await call("secrets.reveal", { ...place, purpose: "copy" })
  return copyText(value)
}

export const copyText = (text: string): Promise<"copied" | "refused"> =>
  navigator.clipboard.writeText(text).then(
    () => "copied" as const,
    () => "refused" as const,
  )
