// The toolbar above the table: a filter, missing values, and buttons to create something.

import { useMemo } from "react"
import { Redo2, Undo2 } from "lucide-react"
import { BarButton } from "../files/save-bar.tsx"
import { useUndoKeys } from "../files/use-edit-keys.ts"
import { count } from "../ui/count.ts"
import { useCellHistory } from "./cell-history.ts"
import { NewEnvironmentButton, NewVariableButton } from "./new-buttons.tsx"
import { redoCell, undoCell } from "./save-cell.ts"

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
      <UndoButtons api={api} />
      <NewEnvironmentButton api={api} />
      <NewVariableButton api={api} isMain />
    </div>
  )
}

function UndoButtons({ api }: { readonly api: string }) {
  const { past, future } = useCellHistory(api)
  const [undo, redo] = useMemo(() => [() => undoCell(api), () => redoCell(api)] as const, [api])
  useUndoKeys(`environments ${api}`, { undo, redo })
  return (
    <>
      <BarButton
        label="Undo"
        icon={<Undo2 aria-hidden="true" />}
        keys="Ctrl Z"
        onPress={undo}
        not={past.length === 0 && "Nothing to undo"}
      />
      <BarButton
        label="Redo"
        icon={<Redo2 aria-hidden="true" />}
        keys="Ctrl Shift Z"
        onPress={redo}
        not={future.length === 0 && "Nothing to redo"}
      />
    </>
  )
}
