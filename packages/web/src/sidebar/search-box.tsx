import type { KeyboardEvent } from "react"
import { clearSearch, useSearch } from "./search-state.ts"

interface Props {
  readonly isExpanded: boolean
  readonly activeId: string | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export const searchBoxId = "search-box"

export function SearchBox({ isExpanded, activeId, onKeyDown }: Props) {
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
        value={query}
        onChange={({ target }) => useSearch.setState({ query: target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") clearSearch()
          else onKeyDown(event)
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
