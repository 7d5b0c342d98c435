// Saves at the user's request and shows an obstacle where it can be fixed.

import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"
import { openFileNow, saveFile } from "./open-files.ts"
import { showProblem } from "./shown-problem.ts"

/** The file whose conflict dialog is open; empty if none is. */
export const useShownConflict = create<{ readonly key: string }>(() => ({ key: "" }))

export const showConflict = (name: FileName): void => useShownConflict.setState({ key: fileKey(name) })

export const hideConflict = (): void => useShownConflict.setState({ key: "" })

/** Resolves to true if the file is saved. Otherwise opens the conflict, or leads to the first format problem. */
export async function requestSave(name: FileName): Promise<boolean> {
  const isSaved = await saveFile(name)
  if (isSaved) return true
  const { conflict, failure } = openFileNow(name)
  const [first] = failure?.problems ?? []
  if (conflict !== undefined) showConflict(name)
  else if (first !== undefined) showProblem(name, first)
  return false
}
