// A box that stands at a part of the page and over everything else: below it where there is room, above it elsewhere.

import { useRef, type HTMLAttributes } from "react"
import { useOverPage } from "./use-over-page.ts"

interface Props extends HTMLAttributes<HTMLDivElement> {
  /** What it stands at; looked for again whenever something scrolls. */
  readonly anchor: () => Element | null
}

export function Anchored({ anchor, ...attributes }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useOverPage(box, (shown) => placeAt(shown, anchor()))
  return (
    <div ref={box} popover="manual" {...attributes} className={`anchored ${attributes.className ?? ""}`} />
  )
}

/** From what it stands at, and from the edge of the window. */
const gap = 4

function placeAt(box: HTMLElement, anchor: Element | null): void {
  if (anchor === null) return
  const { left, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const isBelow = bottom + gap + height <= window.innerHeight || top < height
  box.style.left = `${Math.max(gap, Math.min(left, window.innerWidth - width - gap))}px`
  box.style.top = `${isBelow ? Math.min(bottom + gap, window.innerHeight - height - gap) : top - gap - height}px`
}
