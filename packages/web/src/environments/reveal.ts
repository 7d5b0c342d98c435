// The revealed secret. Only one is shown at a time, for half a minute or until the user moves on.

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
/** The number of the latest request. Answers to earlier requests are ignored. */
let asked = 0

/** Hides the previous secret at once. Rejects if the call fails. */
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
export async function copyValue(place: CellPlace): Promise<"copied" | "refused"> {
  const { value } = await call("secrets.reveal", { ...place, purpose: "copy" })
  return copyText(value)
}

export const copyText = (text: string): Promise<"copied" | "refused"> =>
  navigator.clipboard.writeText(text).then(
    () => "copied" as const,
    () => "refused" as const,
  )
