// Shows operations of one method alone.

import { useSearch } from "./search-state.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

export function MethodFilter() {
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
