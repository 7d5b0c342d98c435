// Keys of a search box and its results: arrow keys move, Enter opens.

import { useState, type KeyboardEvent } from "react"
import { movedIndex } from "../parts/list-keys.ts"
import { goTo } from "../routes/use-route.ts"
import type { Entry } from "./entries.ts"

interface HitKeys {
  readonly activeIndex: number
  readonly open: (entry: Entry) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useHitKeys(hits: readonly Entry[], query: string, onOpened: () => void): HitKeys {
  const [active, setActive] = useState({ query, index: 0 })
  const activeIndex =
    active.query === query ? Math.min(active.index, hits.length - 1) : Math.min(0, hits.length - 1)
  const open = (entry: Entry): void => {
    setActive({ query, index: hits.indexOf(entry) })
    goTo(entry.route)
    onOpened()
    entry.action?.()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedIndex(event.key, activeIndex, hits.length)
    const hit = hits[activeIndex]
    if (next !== undefined) setActive({ query, index: next })
    else if (event.key === "Enter" && hit !== undefined && !event.nativeEvent.isComposing) open(hit)
    else return
    event.preventDefault()
  }
  return { activeIndex, open, onKeyDown }
}
