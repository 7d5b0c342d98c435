// Shows a problem: selects its position in the editor, or focuses its field in a form.

import type { LineColumn, Problem } from "@callsheet/format"
import { useEffect, useRef } from "react"
import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"

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
