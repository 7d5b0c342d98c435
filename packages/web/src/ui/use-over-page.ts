// Keeps a popover at its position while the page scrolls.

import { useLayoutEffect, type RefObject } from "react"

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
