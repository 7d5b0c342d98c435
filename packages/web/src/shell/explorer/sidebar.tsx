// The sidebar: the project's name, links, a search, and the outline or search results.

import { useMemo, type KeyboardEvent } from "react"
import {
  Keyboard,
  Monitor,
  Moon,
  Search,
  Sun,
  type LucideIcon,
  CircleAlert,
  House,
  SendHorizontal,
} from "lucide-react"
import type { ProjectView } from "@callsheet/server/calls"
import { create } from "zustand"
import { hashOf, type Route } from "../../routes/route.ts"
import { useRoute } from "../../routes/use-route.ts"
import type { Entry } from "../../search/entries.ts"
import { findMatches } from "@callsheet/language"
import { useEntries } from "../../search/use-entries.ts"
import { showOverlay } from "../overlay-state.ts"
import { chooseTheme, themes, useTheme, type Theme } from "../theme.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { hitId, HitList, useHitKeys } from "../search/hit-list.tsx"
import { OutlineTree } from "./outline-tree.tsx"
import { count } from "../../ui/formats.ts"
import { useProblems } from "../../connection/queries.ts"

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
        onKeyDown={isSearching ? enterHit(onKeyDown) : enterOutline}
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

/** After a key has opened a hit, the keys of its page go on. */
const enterHit =
  (onKeyDown: (event: KeyboardEvent) => void) =>
  (event: KeyboardEvent): void => {
    onKeyDown(event)
    if (event.key === "Enter" && event.isDefaultPrevented())
      document.querySelector<HTMLElement>("#main")?.focus()
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
    return findMatches(
      method === undefined ? entries : entries.filter((entry) => entry.method === method),
      query,
    )
  }, [entries, query, method, isSearching])
  return { isSearching, isLoading, hits, question: `${query}\0${method ?? ""}` }
}

interface SearchProps {
  readonly isExpanded: boolean
  readonly activeId: string | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export const searchBoxId = "search-box"

function SearchBox({ isExpanded, activeId, onKeyDown }: SearchProps) {
  const query = useSearch((state) => state.query)
  return (
    <div className="search">
      <input
        id={searchBoxId}
        type="search"
        role="combobox"
        aria-label="Search operations, environments, saved requests and workflows"
        aria-expanded={isExpanded}
        aria-controls={isExpanded ? "hits" : "outline"}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        data-first=""
        data-part=""
        value={query}
        onChange={({ target }) => useSearch.setState({ query: target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return onKeyDown(event)
          // The next Escape closes the dialog that a narrow window shows the sidebar in.
          if (query !== "") event.preventDefault()
          clearSearch()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

const useSearch = create<{ readonly query: string; readonly method: string | undefined }>(() => ({
  query: "",
  method: undefined,
}))

const clearSearch = (): void => useSearch.setState({ query: "", method: undefined })

function Pages() {
  const { data } = useProblems()
  const problems = data?.problems ?? []
  const errors = problems.filter(({ severity }) => severity === "error").length
  const warnings = problems.length - errors
  const isClean = data !== undefined && problems.length === 0
  return (
    <>
      <ul className="pages">
        <Page to={{ kind: "overview" }} label="Overview" icon={<House aria-hidden="true" />} />
        <Page to={{ kind: "send" }} label="Send a URL" icon={<SendHorizontal aria-hidden="true" />} />
        <Page to={{ kind: "problems" }} label="Problems" icon={<CircleAlert aria-hidden="true" />}>
          <span className="page-counts">
            {errors === 0 ? null : <span className="count-error">{count(errors, "error")}</span>}
            {warnings === 0 ? null : <span className="count-warning">{count(warnings, "warning")}</span>}
            {isClean ? <span className="count-none">none</span> : null}
          </span>
        </Page>
      </ul>
      <p className="only-read" role="status">
        {data === undefined ? "" : `Problems: ${count(errors, "error")}, ${count(warnings, "warning")}`}
      </p>
    </>
  )
}

function Page({
  to,
  label,
  icon,
  children,
}: {
  readonly to: Route
  readonly label: string
  readonly icon: React.ReactNode
  readonly children?: React.ReactNode
}) {
  const isCurrent = useRoute().kind === to.kind
  return (
    <li>
      <a href={hashOf(to)} className="page-link" {...(isCurrent ? { "aria-current": "page" as const } : {})}>
        {icon}
        <span className="page-label">{label}</span>
        {children}
      </a>
    </li>
  )
}
