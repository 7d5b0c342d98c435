// The page's open files, for components.

import type { Problem } from "@callsheet/format"
import { useEffect, useMemo } from "react"
import { useStore } from "zustand"
import { filePath, type FileName } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { wasReached } from "../connection/send.ts"
import { createFileStore, type FileEntry } from "./create-file-store.ts"
import { createDraftKeeper } from "./draft-keeper.ts"
import { fileKey } from "./file-key.ts"
import { isDirty, isInConflict, isMissing, type OpenFile } from "./file-state.ts"
import { createProblemTracker } from "./problem-tracker.ts"
import { textToSave } from "./text-to-save.ts"

const now = (): number => Date.now()
const files = createFileStore({ call, now, textToSave })
const drafts = createDraftKeeper(call, now)
const problems = createProblemTracker(call)
files.store.subscribe(noteChanges)

export const {
  edit: editFile,
  undo: undoFile,
  redo: redoFile,
  save: saveFile,
  discard: discardDraft,
  reload: reloadFile,
  keepMine,
  merge: mergeFile,
  close: closeFile,
} = files

export const { checkAgain: checkFilesAgain } = problems

/** Reads open files again, because they may have changed on disk. */
export function readFilesAgain(): void {
  files.readAgain()
  problems.checkAgain()
}

/** Sends and reads everything that the page and the server may have missed. Call this after a reconnect. */
export function catchUpFiles(): void {
  drafts.flush()
  readFilesAgain()
}

/** Keeps drafts when the page closes. Call this once. */
export function keepDraftsOnLeaving(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") drafts.flush(true)
  })
  window.addEventListener("pagehide", () => drafts.flush(true))
  window.addEventListener("beforeunload", (event) => {
    drafts.flush(true)
    const isHeard = useConnection.getState().status === "open" && wasReached()
    if (isHeard ? drafts.isAtRisk() : drafts.isUnkept()) event.preventDefault()
  })
}

function noteChanges(open: ReadonlyMap<string, FileEntry>, before: ReadonlyMap<string, FileEntry>): void {
  for (const [key, { name, file }] of open) {
    const last = before.get(key)?.file
    if (file === undefined || file === last) continue
    problems.note(file)
    const unsaved = { text: file.text, etag: file.base.etag }
    if (last === undefined) drafts.learn(name, file.draftFrom === undefined ? undefined : unsaved)
    // A save drops the draft on the server, even one that was sent during the save.
    else if (last.isSaving && !file.isSaving) drafts.learn(name, "unknown")
    drafts.note(name, isDirty(file) ? unsaved : undefined)
  }
  for (const [key, { name }] of before) {
    if (open.has(key)) continue
    problems.forget(key)
    drafts.note(name, undefined)
  }
}

/** Opens the file. Reads it again when it changes on disk, as long as the component is mounted. */
export function useOpenFile(name: FileName): OpenFile {
  const key = fileKey(name)
  useEffect(() => files.watch(name), [key])
  const entry = useStore(files.store, (open) => open.get(key))
  const found = useStore(problems.store, (known) => known.get(key))
  const isDraftInMemory = useStore(drafts.inMemory, (keys) => keys.has(key))
  return useMemo(
    () => ({ ...openFileOf(name, entry, found), isDraftInMemory }),
    [key, entry, found, isDraftInMemory],
  )
}

/** Returns an open file, for code outside components. */
export function openFileNow(name: FileName): OpenFile {
  const key = fileKey(name)
  return openFileOf(name, files.store.getState().get(key), problems.store.getState().get(key))
}

export function useDirtyFiles(): readonly FileName[] {
  const keys = useStore(files.store, (open) => dirtyEntries(open).map(fileKeyOfEntry).join("\n"))
  // The keys change only if the list changes.
  return useMemo(dirtyFilesNow, [keys])
}

/** Returns the files with unsaved changes, for code outside components. */
export const dirtyFilesNow = (): readonly FileName[] =>
  dirtyEntries(files.store.getState()).map(({ name }) => name)

const fileKeyOfEntry = ({ name }: FileEntry): string => fileKey(name)

const dirtyEntries = (open: ReadonlyMap<string, FileEntry>): readonly FileEntry[] =>
  [...open.values()].filter(({ file }) => file !== undefined && isDirty(file))

export const isOpen = (name: FileName): boolean =>
  files.store.getState().get(fileKey(name))?.file !== undefined

function openFileOf(
  name: FileName,
  entry: FileEntry | undefined,
  found: readonly Problem[] = none,
): OpenFile {
  const file = entry?.file
  if (file === undefined)
    return {
      ...nothing,
      name,
      path: filePath(name),
      state: entry?.failure === undefined ? "loading" : "failed",
      failure: entry?.failure,
    }
  const { path, text, value, isSaving, failure, draftFrom, history } = file
  return {
    name,
    state: isMissing(file) ? "missing" : "ready",
    path,
    text,
    value,
    problems: isMissing(file) ? none : found,
    isDirty: isDirty(file),
    isSaving,
    conflict: isInConflict(file) ? { theirs: file.disk, base: file.base.text } : undefined,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    failure,
    draftFrom,
    isDraftInMemory: drafts.inMemory.getState().has(fileKey(name)),
  }
}

const none: readonly Problem[] = []

const nothing = {
  text: "",
  value: undefined,
  problems: [],
  isDirty: false,
  isSaving: false,
  conflict: undefined,
  canUndo: false,
  canRedo: false,
  draftFrom: undefined,
  isDraftInMemory: false,
} as const
