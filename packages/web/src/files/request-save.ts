// Saves a file on the user's request. If that fails, shows the reason.

import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"
import { openFileNow, saveFile } from "./open-files.ts"
import { showProblem } from "./shown-problem.ts"

/** The key of the file whose conflict dialog is open. Empty without one. */
export const useShownConflict = create<{ readonly key: string }>(() => ({ key: "" }))

export const showConflict = (name: FileName): void => useShownConflict.setState({ key: fileKey(name) })

export const hideConflict = (): void => useShownConflict.setState({ key: "" })

/** Saves a file. Resolves to true if this worked. Otherwise, shows the conflict or the first problem of the format. */
export async function requestSave(name: FileName): Promise<boolean> {
  const isSaved = await saveFile(name)
  if (isSaved) return true
  const { conflict, failure } = openFileNow(name)
  const [first] = failure?.problems ?? []
  if (conflict !== undefined) showConflict(name)
  else if (first !== undefined) showProblem(name, first)
  return false
}
