// What is wrong with the text of a file that nobody saved: the format's own words at once, then those of `validate`.

import { useEffect, useState } from "react"
import type { Problem } from "@callsheet/format"
import { useStore } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { fileKey } from "../editing/file-key.ts"
import { filePath } from "../editing/file-path.ts"
import { createProblemTracker } from "../editing/problem-tracker.ts"

/** `name` is what it may be saved as. */
export function useTextProblems(name: FileName, text: string): readonly Problem[] {
  const [tracker] = useState(() => createProblemTracker(call))
  const key = fileKey(name)
  useEffect(() => tracker.note({ name, path: filePath(name), text }), [tracker, key, text])
  useEffect(() => () => tracker.forget(key), [tracker, key])
  return useStore(tracker.store, (known) => known.get(key)) ?? none
}

const none: readonly Problem[] = []
