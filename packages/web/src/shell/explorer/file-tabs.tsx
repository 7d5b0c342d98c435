// The tabs of open files and pages, above the main pane. Arrow keys select, Delete closes.

import { ownOf } from "@callsheet/format"
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
} from "react"
import { X } from "lucide-react"
import type { FileName, ProjectView } from "@callsheet/server/calls"
import { useUnsavedFiles } from "../../files/use-unsaved-files.ts"
import { type Route, routeWords, routeOfFile } from "../../routes/route.ts"
import { goTo, useRoute } from "../../routes/use-route.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import {
  closeGoneTabs,
  closeTab,
  keepTab,
  moveTab,
  overviewTab,
  showInTab,
  tabKey,
  useOpenTabs,
  type OpenTab,
} from "../../routes/open-tabs.ts"
import { RouteIcon } from "../../routes/route-link.tsx"

export function FileTabs({ project }: { readonly project: ProjectView }) {
  const route = useRoute()
  const { tabs, preview } = useOpenTabs()
  const shown = tabKey(route)
  const list = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string>()
  const unsaved = useUnsavedTabs()
  useTabKeys()
  useScrollOfTab(shown)
  useLayoutEffect(() => showInTab(route), [route])
  useEffect(() => closeGoneTabs(project), [project, route])
  const isPreviewUnsaved = preview !== undefined && unsaved.has(preview)
  useEffect(() => {
    if (isPreviewUnsaved) keepTab(preview)
  }, [isPreviewUnsaved, preview])
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[aria-selected=true]")
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" })
    // The focus stays in the list if the focused tab was closed.
    if (list.current?.contains(document.activeElement) === true) tab?.focus()
  }, [shown, tabs])
  const all = [overviewTab, ...tabs]
  return (
    <section aria-label="Open files" className="file-tabs-place">
      <div
        ref={list}
        role="tablist"
        aria-label="Open files"
        className="file-tabs"
        onKeyDown={(event) => onListKey(event, all, shown)}
      >
        {all.map((tab, index) => (
          <FileTab
            key={tab.key}
            tab={tab}
            isShown={tab.key === shown}
            isPreview={tab.key === preview}
            isUnsaved={unsaved.has(tab.key)}
            onDrag={setDragged}
            onDragOver={(pastMiddle) => {
              const from = all.findIndex(({ key }) => key === dragged)
              // Otherwise, a wide tab would move back and forth under the pointer.
              if (dragged !== undefined && (from < index ? pastMiddle >= 0 : pastMiddle <= 0))
                moveTab(dragged, Math.max(index - 1, 0))
            }}
          />
        ))}
      </div>
    </section>
  )
}

function onListKey(event: ReactKeyboardEvent, tabs: readonly OpenTab[], shown: string): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const index = tabs.findIndex(({ key }) => key === shown)
  const next = ownOf({ ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }, event.key)
  const tab = tabs[index]
  if (next !== undefined) goTo(tabs.at(next % tabs.length)?.route ?? overviewTab.route)
  else if (event.key === "Delete" && tab !== undefined && index > 0) {
    const { children } = event.currentTarget
    // A removed element would lose the focus.
    for (const child of [children[index - 1], children[index + 1]])
      if (child instanceof HTMLElement) child.focus()
    closeTab(tab.route)
  } else if (event.key === "Enter" || event.key === " ") keepTab(shown)
  else return
  event.preventDefault()
}

interface TabProps {
  readonly tab: OpenTab
  readonly isShown: boolean
  readonly isPreview: boolean
  readonly isUnsaved: boolean
  readonly onDrag: (key: string | undefined) => void
  /** Receives how far the pointer is to the right of the middle of the tab. */
  readonly onDragOver: (pastMiddle: number) => void
}

function FileTab({ tab: { key, route }, isShown, isPreview, isUnsaved, onDrag, onDragOver }: TabProps) {
  const isOverview = key === overviewTab.key
  return (
    <div
      role="tab"
      aria-selected={isShown}
      aria-controls="main"
      tabIndex={isShown ? 0 : -1}
      className={`file-tab ${isPreview ? "file-tab-preview" : ""}`}
      title={routeWords(route).map(visibleText).join(" · ")}
      draggable={!isOverview}
      onClick={() => goTo(route)}
      onDoubleClick={() => keepTab(key)}
      // Without this, a middle click would start to scroll.
      onMouseDown={(event) => {
        if (event.button === 1) event.preventDefault()
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && !isOverview) closeTab(route)
      }}
      onDragStart={() => onDrag(key)}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => {
        event.preventDefault()
        const { left, width } = event.currentTarget.getBoundingClientRect()
        onDragOver(event.clientX - left - width / 2)
      }}
    >
      <RouteIcon route={route} />
      <span className="file-tab-name">
        <ShownText text={labelOf(route)} />
      </span>
      {isUnsaved ? <span className="only-read">unsaved</span> : null}
      {isOverview ? null : (
        // Only for the mouse. The keyboard has Delete.
        <span
          aria-hidden="true"
          className={`file-tab-close ${isUnsaved ? "file-tab-unsaved" : ""}`}
          title="Close (middle click)"
          onClick={(event) => {
            event.stopPropagation()
            closeTab(route)
          }}
        >
          <X />
        </span>
      )}
    </div>
  )
}

function labelOf(route: Route): string {
  if (route.kind === "overview") return "Overview"
  if (route.kind === "environments" || route.kind === "environment") return `${route.api} environments`
  if (route.kind === "operation") return route.path
  const [name = ""] = routeWords(route)
  return route.kind === "script" ? `${name}.ts` : name
}

/** Returns the keys of tabs that show unsaved files. */
function useUnsavedTabs(): ReadonlySet<string> {
  const files = useUnsavedFiles()
  return useMemo(
    () =>
      new Set(files.flatMap((file: FileName) => [routeOfFile(file), routeOfFile(file, false)]).map(tabKey)),
    [files],
  )
}

/** The scroll position of each tab that was shown. */
const tops = new Map<string, number>()

/** A new tab starts at its top, and an open one where the user left it. */
function useScrollOfTab(key: string): void {
  const shown = useRef(key)
  useLayoutEffect(() => {
    const main = document.querySelector("#main")
    if (main === null) return undefined
    const isOpen = key === overviewTab.key || useOpenTabs.getState().tabs.some((tab) => tab.key === key)
    main.scrollTop = isOpen ? (tops.get(key) ?? 0) : 0
    shown.current = key
    const onScroll = (): void => void tops.set(shown.current, main.scrollTop)
    main.addEventListener("scroll", onScroll)
    return () => main.removeEventListener("scroll", onScroll)
  }, [key])
}

function useTabKeys(): void {
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
