// Shortcuts for tabs that work wherever the focus is.

import { useEffect } from "react"
import { goTo } from "../../routes/use-route.ts"
import { moveTab, overviewTab, useOpenTabs } from "./open-tabs.ts"

export function useTabKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return
      const { key, ctrlKey, altKey, shiftKey } = event
      const isPageKey = key === "PageUp" || key === "PageDown"
      // Most browsers keep Ctrl-Tab for themselves.
      if (key === "Tab" && ctrlKey && !altKey) showNext(shiftKey ? -1 : 1)
      else if (isPageKey && altKey && !ctrlKey && !shiftKey) showNext(key === "PageUp" ? -1 : 1)
      else if (isPageKey && ctrlKey && shiftKey && !altKey) moveShown(key === "PageUp" ? -1 : 1)
      else return
      event.preventDefault()
    }
    // The code editor and lists have these keys too.
    window.addEventListener("keydown", onKeyDown, true)
    return () => window.removeEventListener("keydown", onKeyDown, true)
  }, [])
}

function showNext(step: 1 | -1): void {
  const { tabs, shown } = useOpenTabs.getState()
  const all = [overviewTab, ...tabs]
  const index = all.findIndex(({ key }) => key === shown)
  goTo(all.at((index + step) % all.length)?.route ?? overviewTab.route)
}

function moveShown(step: 1 | -1): void {
  const { tabs, shown } = useOpenTabs.getState()
  moveTab(shown, tabs.findIndex(({ key }) => key === shown) + step)
}
