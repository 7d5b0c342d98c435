// The placeholder whose card is shown.

import { useEffect, useRef, useState } from "react"
import type { FieldToken } from "@callsheet/language"

/** Milliseconds until the card is shown, and until it is hidden, so that the pointer can move into it. */
const showAfter = 350
const hideAfter = 250

export interface ShownToken<T> {
  readonly shown: { readonly token: T; readonly takesFocus: boolean } | undefined
  readonly show: (token: T, takesFocus: boolean) => void
  readonly hide: () => void
  /** Receives the placeholder under the pointer, or `card`. */
  readonly hover: (token: T | "card" | undefined) => void
}

export function useShownToken<T extends FieldToken>(): ShownToken<T> {
  const [shown, setShown] = useState<ShownToken<T>["shown"]>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = useRef<T | "card">(undefined)
  const set = (next: ShownToken<T>["shown"]): void => {
    clearTimeout(timer.current)
    wanted.current = next?.token
    setShown(next)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    shown,
    show: (token, takesFocus) => set({ token, takesFocus }),
    hide: () => set(undefined),
    hover: (token) => {
      if (isSame(token, wanted.current) || shown?.takesFocus === true) return
      wanted.current = token
      clearTimeout(timer.current)
      if (token === "card") return
      timer.current = setTimeout(
        () => setShown(token === undefined ? undefined : { token, takesFocus: false }),
        token === undefined ? hideAfter : showAfter,
      )
    },
  }
}

type Hovered = FieldToken | "card" | undefined

const isSame = (one: Hovered, other: Hovered): boolean =>
  typeof one === "object" && typeof other === "object"
    ? one.from === other.from && one.path === other.path
    : one === other
