// The sidebar: the project's name, links, a search, and the outline or search results.

import { useMemo, type KeyboardEvent } from "react"
import { Keyboard, Monitor, Moon, Search, Sun, type LucideIcon } from "lucide-react"
import type { ProjectView } from "@callsheet/server/calls"
import type { Entry } from "../search/entries.ts"
import { findEntries } from "../search/find-entries.ts"
import { useEntries } from "../search/use-entries.ts"
import { useHitKeys } from "../search/use-hit-keys.ts"
import { showOverlay } from "../shortcuts/overlay-state.ts"
import { chooseTheme, themes, useTheme, type Theme } from "../shortcuts/theme.ts"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { hitId, HitList } from "./hit-list.tsx"
import { OutlineTree } from "./outline-tree.tsx"
import { Pages } from "./pages.tsx"
import { SearchBox } from "./search-box.tsx"
import { useSearch } from "./search-state.ts"

export function Sidebar({ project }: { readonly project: ProjectView }) {
  const { isSearching, isLoading, hits, question } = useFound(project)
  const { activeIndex, open, onKeyDown } = useHitKeys(hits, question, () => undefined)
  const activeId = isSearching && activeIndex >= 0 ? hitId("hits", activeIndex) : undefined
  const summary = hits.length === 0 ? "Nothing found" : count(hits.length, "hit")
  return (
    <nav className="sidebar" aria-label="Project">
      <p className="project-name">
        <ShownText text={project.name} />
      </p>
      <Pages />
      <SearchBox
        isExpanded={isSearching}
        activeId={activeId}
        onKeyDown={isSearching ? onKeyDown : enterOutline}
      />
      <MethodFilter />
      {isSearching ? (
        <>
          <p className="hit-count" role="status">
            {isLoading && hits.length === 0 ? "Loading operations…" : summary}
          </p>
          <HitList id="hits" hits={hits} activeIndex={activeIndex} onOpen={open} />
        </>
      ) : (
        <OutlineTree project={project} />
      )}
      <Foot />
    </nav>
  )
}

function enterOutline(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown") return
  event.preventDefault()
  document.querySelector<HTMLElement>("#outline")?.focus()
}

/** The foot of the sidebar. Its buttons show that the palette and the shortcuts exist. */
function Foot() {
  const theme = useTheme((state) => state.theme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
  const Icon = themeIcons[theme]
  return (
    <div className="sidebar-foot">
      <button type="button" className="foot-button" onClick={() => showOverlay("palette")}>
        <Search aria-hidden="true" /> Go to… <kbd>Ctrl K</kbd>
      </button>
      <span className="foot-space" />
      <button
        type="button"
        className="foot-button"
        aria-label={`Theme: ${theme}. Switch to ${next}`}
        title={`Theme: ${theme}`}
        onClick={() => chooseTheme(next)}
      >
        <Icon aria-hidden="true" />
      </button>
      <button
        type="button"
        className="foot-button"
        aria-label="Shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => showOverlay("shortcuts")}
      >
        <Keyboard aria-hidden="true" />
      </button>
    </div>
  )
}

const themeIcons: { readonly [T in Theme]: LucideIcon } = { system: Monitor, light: Sun, dark: Moon }

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

function MethodFilter() {
  const chosen = useSearch(({ method }) => method)
  return (
    <div className="method-filter" role="group" aria-label="Show operations of one method">
      {methods.map((method) => (
        <button
          key={method}
          type="button"
          aria-pressed={method === chosen}
          className={`method-button method-${method.toLowerCase()}`}
          onClick={() => useSearch.setState({ method: method === chosen ? undefined : method })}
        >
          {method}
        </button>
      ))}
    </div>
  )
}

interface Found {
  readonly isSearching: boolean
  readonly isLoading: boolean
  readonly hits: readonly Entry[]
  /** Identifies the search. Changes with its text. */
  readonly question: string
}

/** Finds results. Loads operations when the user starts to search. */
function useFound(project: ProjectView): Found {
  const { query, method } = useSearch()
  const isSearching = query.trim() !== "" || method !== undefined
  const { entries, isLoading } = useEntries(project, isSearching)
  const hits = useMemo(() => {
    if (!isSearching) return []
    return findEntries(
      method === undefined ? entries : entries.filter((entry) => entry.method === method),
      query,
    )
  }, [entries, query, method, isSearching])
  return { isSearching, isLoading, hits, question: `${query}\0${method ?? ""}` }
}
