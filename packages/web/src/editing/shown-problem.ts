// The problem that the person is to be led to: the editor of the file selects its place, a form focuses its field.

import type { Problem } from "@callsheet/format"
import { useEffect, useRef } from "react"
import { create } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"

const useShown = create<{ readonly key: string; readonly problem: Problem | undefined }>(() => ({
  key: "",
  problem: undefined,
}))

/** Leads to it, now or as soon as something shows the file. */
export const showProblem = (name: FileName, problem: Problem): void =>
  useShown.setState({ key: fileKey(name), problem: { ...problem } })

/** Calls the listener once with each problem of the file that the person is to be led to. */
export function useShownProblem(name: FileName, listener: (problem: Problem) => void): void {
  const key = fileKey(name)
  const problem = useShown((shown) => (shown.key === key ? shown.problem : undefined))
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    if (problem === undefined) return
    useShown.setState({ key: "", problem: undefined })
    latest.current(problem)
  }, [problem])
}
