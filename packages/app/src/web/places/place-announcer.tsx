// Says to those who do not see it that another place is shown, and takes a focus that has got lost with the last one to it.

import { useEffect, useRef, useState } from "react"
import { visibleText } from "../text/visible-text.ts"
import { hashOf } from "./place.ts"
import { placeWords } from "./place-words.ts"
import { usePlace } from "./use-place.ts"

export function PlaceAnnouncer() {
  const place = usePlace()
  const hash = hashOf(place)
  const shown = useRef(hash)
  const [words, setWords] = useState("")
  useEffect(() => {
    if (shown.current === hash) return
    shown.current = hash
    setWords(placeWords(place).map(visibleText).join(", ") || "Overview")
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("#main")?.focus()
  }, [hash, place])
  return (
    <p className="only-read" role="status">
      {words}
    </p>
  )
}
