// Panels at the active cell: a failed save, a conflict, a revealed secret, or the confirmation of a copy.

import { useEffect, useRef } from "react"
import { Anchored } from "../ui/anchored.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { cellId, CellWords, IntentWords } from "./cell.tsx"
import { baseOf, dropDraft, useCellDraft, type CellDraft, type CellPlace } from "./cell-drafts.ts"
import { useFlash, type Flash, copyCell, hide, useRevealed, type Revealed } from "./reveal.ts"
import { focusCell } from "./environments-grid.tsx"
import type { CellAt } from "./menu-items.ts"
import { saveOver } from "./save-cell.ts"
import type { GridPosition } from "./table-model.ts"
import { LongText } from "../ui/shown-text.tsx"

interface Props {
  readonly at: CellAt
  readonly position: GridPosition
  readonly isEditing: boolean
  readonly onEdit: () => void
}

const isAt = (one: CellPlace, other: CellPlace): boolean =>
  one.api === other.api && one.environment === other.environment && one.variable === other.variable

export function Panels({ at, position, isEditing, onEdit }: Props) {
  const draft = useCellDraft(at.place)
  const revealed = useRevealed(({ shown }) => shown)
  const flash = useFlash((state) => state.flash)
  const anchor = (): Element | null => document.querySelector(`#${cellId(position.row, position.column)}`)
  const back = (): void => focusCell(position)
  if (revealed !== undefined && isAt(revealed.place, at.place))
    return <RevealedPanel revealed={revealed} anchor={anchor} onBack={back} />
  const isStale = draft?.status === "kept" && baseOf(at.cell) !== draft.base
  if (draft !== undefined && (draft.fault !== undefined || draft.isConflict === true || isStale))
    return (
      <DraftPanel
        {...{ at, isEditing, anchor, onEdit }}
        draft={isStale ? { ...draft, isConflict: true } : draft}
        onBack={back}
      />
    )
  if (flash !== undefined && isAt(flash.place, at.place)) return <FlashPanel flash={flash} anchor={anchor} />
  return null
}

interface PanelProps {
  readonly anchor: () => Element | null
}

function FlashPanel({ flash, anchor }: PanelProps & { readonly flash: Flash }) {
  return (
    <Anchored anchor={anchor} className={`env-panel ${flash.isBad ? "env-panel-bad" : "env-panel-good"}`}>
      <p id="env-panel" {...(flash.isBad ? { role: "alert" } : {})}>
        <LongText text={flash.message} />
      </p>
      {flash.hint === undefined ? null : (
        <p className="env-panel-hint">
          <LongText text={flash.hint} />
        </p>
      )}
    </Anchored>
  )
}

interface DraftProps extends PanelProps {
  readonly at: CellAt
  readonly draft: CellDraft
  readonly isEditing: boolean
  readonly onEdit: () => void
  readonly onBack: () => void
}

function DraftPanel({ at, draft, isEditing, anchor, onEdit, onBack }: DraftProps) {
  const { place, cell } = at
  const takeBack = (): void => {
    dropDraft(place)
    onBack()
  }
  const save = (): void => {
    saveOver(place)
    onBack()
  }
  return (
    <Anchored anchor={anchor} className="env-panel env-panel-bad">
      {draft.isConflict === true ? (
        <Conflict at={at} draft={draft} />
      ) : (
        <div id="env-panel" role="alert">
          <p>
            <LongText text={draft.fault?.message ?? ""} />
          </p>
          {draft.fault?.hint === undefined ? null : (
            <p className="env-panel-hint">
              <LongText text={draft.fault.hint} />
            </p>
          )}
        </div>
      )}
      {isEditing ? null : (
        <div className="env-panel-actions">
          <button type="button" className="button" onClick={save}>
            {draft.isConflict === true ? "Save mine" : "Save again"}
          </button>
          {draft.intent.does === "set" && draft.isConflict !== true ? (
            <button type="button" className="button" onClick={onEdit}>
              Edit
            </button>
          ) : null}
          <button type="button" className="button" onClick={takeBack}>
            {draft.isConflict === true && baseOf(cell) !== draft.base ? "Take theirs" : "Discard"}
          </button>
        </div>
      )}
    </Anchored>
  )
}

function Conflict({ at, draft }: { readonly at: CellAt; readonly draft: CellDraft }) {
  const isOther = baseOf(at.cell) !== draft.base
  return (
    <div id="env-panel" role="alert">
      <p>
        {isOther
          ? "This value changed in another window or in the file."
          : "The file changed, but not this value."}
      </p>
      <dl className="env-sides">
        <div>
          <dt>In the file</dt>
          <dd className="env-side">
            <CellWords variable={at.variable} cell={at.cell} draft={undefined} />
          </dd>
        </div>
        <div>
          <dt>Yours</dt>
          <dd className="env-side">
            <IntentWords intent={draft.intent} />
          </dd>
        </div>
      </dl>
    </div>
  )
}

interface RevealedProps extends PanelProps {
  readonly revealed: Revealed
  readonly onBack: () => void
}

function RevealedPanel({ revealed, anchor, onBack }: RevealedProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const { place, value } = revealed
  const end = (): void => {
    hide()
    onBack()
  }
  return (
    <Anchored
      anchor={anchor}
      className="env-panel env-panel-revealed"
      role="group"
      aria-label={`${visibleText(place.variable)} in ${visibleText(place.environment)}, revealed`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        end()
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) hide()
      }}
    >
      <p className="env-revealed">{value === "" ? '""' : <LongText text={value} />}</p>
      <div className="env-panel-actions">
        <button ref={button} type="button" className="button" onClick={end}>
          Hide
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            end()
            copyCell(place)
          }}
        >
          Copy
        </button>
        <span className="env-panel-hint">Hidden after 30 s or when you leave the cell.</span>
      </div>
    </Anchored>
  )
}
