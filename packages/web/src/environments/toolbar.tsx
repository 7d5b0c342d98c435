// The toolbar above the table: a filter, missing values, and buttons to create something.

import { count } from "../text/count.ts"
import { NewEnvironmentButton, NewVariableButton } from "./new-buttons.tsx"

interface Props {
  readonly api: string
  readonly query: string
  readonly onlyMissing: boolean
  readonly missing: number
  readonly onQuery: (query: string) => void
  readonly onOnlyMissing: (onlyMissing: boolean) => void
}

export function Toolbar({ api, query, onlyMissing, missing, onQuery, onOnlyMissing }: Props) {
  return (
    <div className="env-toolbar" role="toolbar" aria-label="Environments">
      <input
        type="search"
        className="form-input env-filter"
        aria-label="Filter variables and environments"
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || query === "") return
          event.preventDefault()
          onQuery("")
        }}
      />
      {missing === 0 ? null : (
        <button
          type="button"
          className="button env-missing-button"
          aria-pressed={onlyMissing}
          onClick={() => onOnlyMissing(!onlyMissing)}
        >
          {count(missing, "required value")} missing
        </button>
      )}
      <span className="env-toolbar-space" />
      <NewEnvironmentButton api={api} />
      <NewVariableButton api={api} isMain />
    </div>
  )
}
