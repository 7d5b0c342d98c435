// Shows a problem: selects its position in the editor, or focuses its field in a form. Shows the reason of a failed
// save.

import type { LineColumn, Problem } from "@callsheet/format"
import { useEffect, useRef } from "react"
import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"
import { openFileNow, saveFile } from "./open-files.ts"

const useShown = create<{ readonly key: string; readonly problem: Problem | undefined }>(() => ({
  key: "",
  problem: undefined,
}))

/** Shows the problem now, or when a component shows the file. */
export const showProblem = (name: FileName, problem: Problem): void =>
  useShown.setState({ key: fileKey(name), problem: { ...problem } })

/** Selects a position in the editor of a file. */
export const showPosition = (name: FileName, { line, column }: LineColumn): void =>
  showProblem(name, { code: "script-type", severity: "warning", message: "", line, column })

/** Calls the listener once per problem of the file, when the file is ready. */
export function useShownProblem(name: FileName, listener: (problem: Problem) => void, isReady = true): void {
  const key = fileKey(name)
  const problem = useShown((shown) => (shown.key === key ? shown.problem : undefined))
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    if (problem === undefined || !isReady) return
    useShown.setState({ key: "", problem: undefined })
    latest.current(problem)
  }, [problem, isReady])
}

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
