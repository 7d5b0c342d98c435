// The bar of an open file: the state of saving, obstacles to it, and actions.

import type { ReactNode } from "react"
import { Redo2, RotateCcw, Undo2 } from "lucide-react"
import type { FileName } from "@callsheet/server/calls"
import { later } from "../ui/later.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { fileKey } from "./file-key.ts"
import { discardDraft, redoFile, reloadFile, undoFile, useOpenFile } from "./open-files.ts"
import type { Problem } from "@callsheet/format"
import { showProblem, hideConflict, requestSave, showConflict, useShownConflict } from "./shown-problem.ts"
import { useEditKeys } from "./edit-area.tsx"
import type { OpenFile } from "./file-state.ts"

// Rarely needed, so it isn't part of what opens the page.
const [ConflictDialog] = later(async () => (await import("./conflict-dialog.tsx")).ConflictDialog)

/** The bar is above the editor. Its height never changes. */
export function SaveBar({ name }: { readonly name: FileName }) {
  const file = useOpenFile(name)
  useEditKeys(name)
  const key = fileKey(name)
  const isShown = useShownConflict((shown) => shown.key === key)
  const tone = file.conflict !== undefined || file.failure !== undefined ? "save-bar-warning" : ""
  return (
    <div role="group" aria-label={`Changes in ${visibleText(file.path)}`} className={`save-bar ${tone}`}>
      <p role="status" className="save-bar-state">
        <span aria-hidden="true" className={`save-dot ${file.isDirty ? "save-dot-dirty" : ""}`} />
        <StateWords file={file} />
      </p>
      <SaveFailure file={file} />
      <div className="save-bar-buttons">
        {file.conflict === undefined ? null : (
          <button type="button" className="button" onClick={() => showConflict(name)}>
            Compare…
          </button>
        )}
        {file.state === "failed" ? (
          <button type="button" className="button" onClick={() => void reloadFile(name)}>
            Reload
          </button>
        ) : (
          <EditButtons file={file} />
        )}
      </div>
      {isShown && file.conflict !== undefined ? (
        <ConflictDialog file={file} conflict={file.conflict} onClose={hideConflict} />
      ) : null}
    </div>
  )
}

function StateWords({ file }: { readonly file: OpenFile }) {
  const { state, isSaving, conflict, isDirty, draftFrom, isDraftInMemory } = file
  if (state === "loading") return "Loading…"
  if (state === "failed") return "Could not be read"
  if (state === "missing") return "The file does not exist"
  if (isSaving) return "Saving…"
  if (conflict !== undefined)
    return conflict.theirs === null
      ? "Deleted on disk since you started editing"
      : "Changed on disk since you started editing"
  if (!isDirty) return "Saved"
  if (isDraftInMemory) return "Unsaved changes, kept until the app stops"
  return draftFrom === undefined ? "Unsaved changes" : `Unsaved changes from ${timeOf(draftFrom)}`
}

/** Formats a time as `10:42`. Adds the date if it isn't today. */
function timeOf(iso: string): string {
  const time = new Date(iso)
  const clock = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
  if (time.toDateString() === new Date().toDateString()) return clock
  return `${time.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${clock}`
}

function EditButtons({ file }: { readonly file: OpenFile }) {
  const { name, canUndo, canRedo, isDirty, isSaving } = file
  return (
    <>
      <BarButton
        label="Undo"
        icon={<Undo2 aria-hidden="true" />}
        keys="Ctrl Z"
        onPress={() => undoFile(name)}
        not={!canUndo && "Nothing to undo"}
      />
      <BarButton
        label="Redo"
        icon={<Redo2 aria-hidden="true" />}
        keys="Ctrl Shift Z"
        onPress={() => redoFile(name)}
        not={!canRedo && "Nothing to redo"}
      />
      <BarButton
        label="Discard"
        icon={<RotateCcw aria-hidden="true" />}
        keys="back to the version on disk; Undo restores your changes"
        onPress={() => discardDraft(name)}
        not={!isDirty && "No unsaved changes"}
      />
      <BarButton
        label={isSaving ? "Saving…" : "Save"}
        keys="Ctrl S"
        isMain
        onPress={() => void requestSave(name)}
        not={!isDirty && "No unsaved changes"}
      />
    </>
  )
}

interface BarButtonProps {
  readonly label: string
  /** Shown instead of the label. */
  readonly icon?: ReactNode
  readonly keys: string
  readonly onPress: () => void
  readonly not: string | false
  readonly isMain?: boolean
}

/** A button that keeps the focus when it becomes disabled. Until then, it isn't a tab stop. */
export function BarButton({ label, icon, keys, onPress, not, isMain = false }: BarButtonProps) {
  return (
    <button
      type="button"
      className={`button bar-button ${isMain ? "bar-button-main" : ""} ${icon === undefined ? "" : "button-icon button-quiet"}`}
      aria-disabled={not !== false}
      tabIndex={not === false ? 0 : -1}
      aria-label={icon === undefined ? undefined : label}
      title={not === false ? `${label} (${keys})` : not}
      onClick={() => {
        if (not === false) onPress()
      }}
    >
      {icon ?? label}
    </button>
  )
}

/** The maximum number of positions to show here. The editor marks all of them. */
const MAX_SHOWN = 3

/** Explains why the file couldn't be read or saved, with the positions of problems. */
function SaveFailure({ file: { name, failure, conflict } }: { readonly file: OpenFile }) {
  // The conflict is more helpful than the failed save that revealed it.
  if (failure === undefined || conflict !== undefined) return <div role="alert" className="save-failure" />
  const problems = failure.problems ?? []
  return (
    <div role="alert" className="save-failure">
      {problems.length === 0 ? (
        <span>
          {visibleText(failure.message)} {failure.hint === undefined ? "" : visibleText(failure.hint)}
        </span>
      ) : (
        <>
          <span>Not saved:</span>
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <button
              key={`${formatPosition(problem)} ${problem.message}`}
              type="button"
              className="quiet-button save-problem"
              onClick={() => showProblem(name, problem)}
            >
              {formatPosition(problem)} {visibleText(problem.message)}
            </button>
          ))}
          {problems.length > MAX_SHOWN ? <span>and {problems.length - MAX_SHOWN} more</span> : null}
        </>
      )}
    </div>
  )
}

const formatPosition = ({ line, column }: Problem): string =>
  line === undefined ? "" : `${line}:${column ?? 1}`
