// A revealed secret: one at a time, hidden when the user moves on or after half a minute.

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
/** Number of the latest request: answers to earlier ones are ignored. */
let asked = 0

/** Rejects like any call. Hides the previous secret immediately. */
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

/** Active until the returned function is called. */
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
export async function copyValue(place: CellPlace): Promise<"copied" | "refused"> {
  const { value } = await call("secrets.reveal", { ...place, purpose: "copy" })
  return copyText(value)
}

export const copyText = (text: string): Promise<"copied" | "refused"> =>
  navigator.clipboard.writeText(text).then(
    () => "copied" as const,
    () => "refused" as const,
  )
