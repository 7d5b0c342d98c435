// A part of the page that edits text. Inside it, undo, redo and save apply to this text.

import { type ReactNode, useEffect } from "react"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"
import { redoFile, undoFile } from "./open-files.ts"
import { requestSave } from "./shown-problem.ts"

interface Props {
  /** A file, or a key for text that isn't in a file. */
  readonly name: FileName | string
  readonly className?: string
  readonly children: ReactNode
}

export function EditArea({ name, className, children }: Props) {
  return (
    <div data-file={typeof name === "string" ? name : fileKey(name)} className={className}>
      {children}
    </div>
  )
}

interface Edited {
  readonly key: string
  readonly undo: () => void
  readonly redo: () => void
  /** Absent if the text isn't in a file. */
  readonly save?: () => void
}

const shown: Edited[] = []

/** Registers the shortcuts of a file as long as the component is mounted. */
export function useEditKeys(name: FileName): void {
  const key = fileKey(name)
  useEffect(
    () =>
      show({
        key,
        undo: () => undoFile(name),
        redo: () => redoFile(name),
        save: () => void requestSave(name),
      }),
    [key],
  )
}

/** Registers the undo shortcuts of text that isn't in a file. */
export function useUndoKeys(key: string, { undo, redo }: Pick<Edited, "undo" | "redo">): void {
  useEffect(() => show({ key, undo, redo }), [key, undo, redo])
}

function show(edited: Edited): () => void {
  shown.push(edited)
  if (shown.length === 1) listen()
  return () => {
    shown.splice(shown.indexOf(edited), 1)
    if (shown.length === 0) removeListeners()
  }
}

function listen(): void {
  window.addEventListener("keydown", onKeyDown)
  window.addEventListener("beforeinput", onBeforeInput)
}

function removeListeners(): void {
  window.removeEventListener("keydown", onKeyDown)
  window.removeEventListener("beforeinput", onBeforeInput)
}

type EditAction = "save" | "undo" | "redo"

function onKeyDown(event: KeyboardEvent): void {
  const action = actionOf(event)
  if (action === undefined || event.defaultPrevented || event.isComposing) return
  const edited = action === "save" ? (areaOf(event.target) ?? topmost()) : editedToUndo(event.target)
  // The browser would save the page.
  if (edited !== undefined || action === "save") event.preventDefault()
  // A key that is held down saves once.
  if (action !== "save" || !event.repeat) edited?.[action]?.()
}

/** Handles undo from the browser's menu, which would otherwise change only one field. */
function onBeforeInput(event: InputEvent): void {
  const action =
    event.inputType === "historyUndo" ? "undo" : event.inputType === "historyRedo" ? "redo" : undefined
  const edited = areaOf(event.target)
  if (action === undefined || edited === undefined) return
  event.preventDefault()
  edited[action]()
}

function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): EditAction | undefined {
  if (altKey || ctrlKey === metaKey) return undefined
  const letter = key.toLowerCase()
  if (letter === "s" && !shiftKey) return "save"
  if (letter === "z") return shiftKey ? "redo" : "undo"
  return letter === "y" && !shiftKey && ctrlKey ? "redo" : undefined
}

/** Returns the edited text to which a field belongs. Undefined for other fields, for which the browser's undo works. */
const editedToUndo = (target: EventTarget | null): Edited | undefined =>
  areaOf(target) ?? (isTextField(target) ? undefined : topmost())

/** Returns the edited text on top. Undefined while a dialog blocks everything below it. */
const topmost = (): Edited | undefined =>
  document.querySelector("dialog[open]") === null ? shown.at(-1) : undefined

function areaOf(target: EventTarget | null): Edited | undefined {
  const area = target instanceof Element ? target.closest<HTMLElement>("[data-file]") : null
  const key = area?.dataset["file"]
  return key === undefined ? undefined : shown.findLast((edited) => edited.key === key)
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|range)$/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)
