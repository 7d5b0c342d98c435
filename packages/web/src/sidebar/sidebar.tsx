// The sidebar: the project's name, the pages, the search, and the outline or what was found.

import type { KeyboardEvent } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useHitKeys } from "../search/use-hit-keys.ts"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { Foot } from "./foot.tsx"
import { hitId, HitList } from "./hit-list.tsx"
import { MethodFilter } from "./method-filter.tsx"
import { OutlineTree } from "./outline-tree.tsx"
import { Pages } from "./pages.tsx"
import { SearchBox } from "./search-box.tsx"
import { useFound } from "./use-found.ts"

export function Sidebar({ project }: { readonly project: ProjectView }) {
  const { isSearching, isLoading, hits, question } = useFound(project)
  const { activeIndex, open, onKeyDown } = useHitKeys(hits, question, () => undefined)
  const activeId = isSearching && activeIndex >= 0 ? hitId("hits", activeIndex) : undefined
  const said = hits.length === 0 ? "Nothing found" : count(hits.length, "hit")
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
            {isLoading && hits.length === 0 ? "Reading operations…" : said}
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
