// A box at an element, above the page. It is below the element, or above it if there is no room.

import { useRef, type HTMLAttributes, useLayoutEffect, type RefObject } from "react"

interface Props extends HTMLAttributes<HTMLDivElement> {
  /** Returns the element. Called again on every scroll. */
  readonly anchor: () => Element | null
}

export function Anchored({ anchor, ...attributes }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useOverPage(box, (shown) => placeAt(shown, anchor()))
  return (
    <div ref={box} popover="manual" {...attributes} className={`anchored ${attributes.className ?? ""}`} />
  )
}

/** The distance in pixels to the element and to the edge of the window. */
const gap = 4

function placeAt(box: HTMLElement, anchor: Element | null): void {
  if (anchor === null) return
  const { left, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const isBelow = bottom + gap + height <= window.innerHeight || top < height
  box.style.left = `${Math.max(gap, Math.min(left, window.innerWidth - width - gap))}px`
  box.style.top = `${isBelow ? Math.min(bottom + gap, window.innerHeight - height - gap) : top - gap - height}px`
}

/** Shows a popover. Positions it on every render, scroll and resize. */
export function useOverPage(box: RefObject<HTMLElement | null>, place: (box: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const shown = box.current
    if (shown === null) return undefined
    if (!shown.matches(":popover-open")) shown.showPopover()
    const follow = (): void => place(shown)
    follow()
    window.addEventListener("scroll", follow, { capture: true, passive: true })
    window.addEventListener("resize", follow)
    return () => {
      window.removeEventListener("scroll", follow, { capture: true })
      window.removeEventListener("resize", follow)
    }
  })
}
