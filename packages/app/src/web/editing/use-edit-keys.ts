// Ctrl-S, Ctrl-Z, Ctrl-Shift-Z and Ctrl-Y of the file that is shown, wherever the focus is.

import { useEffect } from "react"
import type { FileName } from "../../api.ts"
import { fileKey } from "./file-key.ts"
import { redoFile, undoFile } from "./open-files.ts"
import { requestSave } from "./request-save.ts"

/** Those that have a bar of their own, the last one on top. */
const shown: FileName[] = []

/** The keys are those of this file, for as long as the component is there. */
export function useEditKeys(name: FileName): void {
  const key = fileKey(name)
  useEffect(() => {
    const own = name
    shown.push(own)
    if (shown.length === 1) listen()
    return () => {
      shown.splice(shown.indexOf(own), 1)
      if (shown.length === 0) unlisten()
    }
  }, [key])
}

function listen(): void {
  window.addEventListener("keydown", onKeyDown)
  window.addEventListener("beforeinput", onBeforeInput)
}

function unlisten(): void {
  window.removeEventListener("keydown", onKeyDown)
  window.removeEventListener("beforeinput", onBeforeInput)
}

type Act = "save" | "undo" | "redo"

function onKeyDown(event: KeyboardEvent): void {
  const act = actOf(event)
  if (act === undefined || event.defaultPrevented || event.isComposing) return
  const name = act === "save" ? (areaOf(event.target) ?? topmost()) : fileToUndo(event.target)
  // The browser would save the page.
  if (name !== undefined || act === "save") event.preventDefault()
  if (name === undefined) return
  // A key that is held down saves once.
  if (act !== "save") perform(act, name)
  else if (!event.repeat) void requestSave(name)
}

/** Undo of the browser's own menu would change one field alone. */
function onBeforeInput(event: InputEvent): void {
  const act =
    event.inputType === "historyUndo" ? "undo" : event.inputType === "historyRedo" ? "redo" : undefined
  const name = areaOf(event.target)
  if (act === undefined || name === undefined) return
  event.preventDefault()
  perform(act, name)
}

function perform(act: "undo" | "redo", name: FileName): void {
  if (act === "undo") undoFile(name)
  else redoFile(name)
}

function actOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Act | undefined {
  if (altKey || ctrlKey === metaKey) return undefined
  const letter = key.toLowerCase()
  if (letter === "s" && !shiftKey) return "save"
  if (letter === "z") return shiftKey ? "redo" : "undo"
  return letter === "y" && !shiftKey && ctrlKey ? "redo" : undefined
}

/** A field that belongs to no file keeps the browser's own undo. */
const fileToUndo = (target: EventTarget | null): FileName | undefined =>
  areaOf(target) ?? (isTextField(target) ? undefined : topmost())

/** Nothing behind a dialog is changed while it is open. */
const topmost = (): FileName | undefined =>
  document.querySelector("dialog[open]") === null ? shown.at(-1) : undefined

function areaOf(target: EventTarget | null): FileName | undefined {
  const area = target instanceof Element ? target.closest<HTMLElement>("[data-file]") : null
  const key = area?.dataset["file"]
  return key === undefined ? undefined : shown.findLast((name) => fileKey(name) === key)
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|range)$/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)
