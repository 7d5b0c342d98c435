// The open files of this page, for its components.

import { useEffect, useMemo } from "react"
import { useStore } from "zustand"
import type { FileName } from "../../api.ts"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { createFileStore, type FileEntry } from "./create-file-store.ts"
import { createDraftKeeper } from "./draft-keeper.ts"
import { fileKey } from "./file-key.ts"
import { filePath } from "./file-path.ts"
import { isDirty, isInConflict, isMissing } from "./file-state.ts"
import { formatProblems } from "./format-problems.ts"
import type { OpenFile } from "./open-file.ts"

const now = (): number => Date.now()
const files = createFileStore({ call, now })
const drafts = createDraftKeeper(call, now)
files.store.subscribe(noteDrafts)

export const {
  edit: editFile,
  undo: undoFile,
  redo: redoFile,
  save: saveFile,
  discard: discardDraft,
  reload: reloadFile,
  keepMine,
  merge: mergeFile,
} = files

/** Files may have changed on the disk. */
export const readFilesAgain = files.readAgain

/** The server answers again: what it may have missed is told to it, and what the page may have missed is read. */
export function catchUpFiles(): void {
  drafts.flush()
  files.readAgain()
}

/** To be called once: nothing that was typed goes with the page. */
export function keepDraftsOnLeaving(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") drafts.flush(true)
  })
  window.addEventListener("pagehide", () => drafts.flush(true))
  window.addEventListener("beforeunload", (event) => {
    drafts.flush(true)
    const isHeard = useConnection.getState().status === "open"
    if (isHeard ? drafts.isAtRisk() : drafts.isUnkept()) event.preventDefault()
  })
}

function noteDrafts(open: ReadonlyMap<string, FileEntry>, before: ReadonlyMap<string, FileEntry>): void {
  for (const [key, { name, file }] of open) {
    const last = before.get(key)?.file
    if (file === undefined || file === last) continue
    const unsaved = { text: file.text, etag: file.base.etag }
    if (last === undefined) drafts.learn(name, file.draftFrom === undefined ? undefined : unsaved)
    // A save drops the draft on the server, even one that came after it was begun.
    else if (last.isSaving && !file.isSaving) drafts.learn(name, "unknown")
    drafts.note(name, isDirty(file) ? unsaved : undefined)
  }
}

/** Opens the file, and follows it on the disk while the component is there. */
export function useOpenFile(name: FileName): OpenFile {
  const key = fileKey(name)
  useEffect(() => files.watch(name), [key])
  const entry = useStore(files.store, (open) => open.get(key))
  return useMemo(() => openFileOf(name, entry), [key, entry])
}

/** The file as it is now, for what happens outside of a component. */
export const openFileNow = (name: FileName): OpenFile =>
  openFileOf(name, files.store.getState().get(fileKey(name)))

/** The keys (`fileKey`) of files with unsaved changes. */
export function useDirtyFiles(): ReadonlySet<string> {
  const keys = useStore(files.store, (open) =>
    [...open]
      .filter(([, { file }]) => file !== undefined && isDirty(file))
      .map(([key]) => key)
      .join("\n"),
  )
  return useMemo(() => new Set(keys === "" ? [] : keys.split("\n")), [keys])
}

function openFileOf(name: FileName, entry: FileEntry | undefined): OpenFile {
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
    problems: isMissing(file) ? [] : formatProblems(name, path, text),
    isDirty: isDirty(file),
    isSaving,
    conflict: isInConflict(file) ? { theirs: file.disk, base: file.base.text } : undefined,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    failure,
    draftFrom,
  }
}

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
} as const
