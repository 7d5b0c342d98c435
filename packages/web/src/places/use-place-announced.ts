// Says to those who do not see it that another place is shown, and takes a focus that has got lost with the last one to it.

import { useEffect, useRef } from "react"
import { announce } from "../parts/announcement.tsx"
import { visibleText } from "../text/visible-text.ts"
import { hashOf } from "./place.ts"
import { placeWords } from "./place-words.ts"
import { usePlace } from "./use-place.ts"

export function usePlaceAnnounced(): void {
  const place = usePlace()
  const hash = hashOf(place)
  const shown = useRef(hash)
  useEffect(() => {
    if (shown.current === hash) return
    shown.current = hash
    announce(placeWords(place).map(visibleText).join(", ") || "Overview")
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("#main")?.focus()
  }, [hash, place])
}
