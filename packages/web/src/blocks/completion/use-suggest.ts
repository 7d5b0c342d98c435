// What a field of a form suggests: the names that its block may read.

import { createContext, useContext, useMemo } from "react"
import type { Suggestions } from "../suggestion.ts"
import { complete, pathAt, type Reads } from "./complete.ts"
import { noSuggestions } from "../suggestion.ts"
import { rootsOf, type Reading } from "./roots.ts"

export const ReadingContext = createContext<Reading | undefined>(undefined)

/** Nothing, where no form says what may be read. */
export function useSuggest(reads: Reads): (text: string, caret: number) => Promise<Suggestions> {
  const reading = useContext(ReadingContext)
  return useMemo(
    () => async (text, caret) => {
      if (reading === undefined || pathAt(text, caret, reads) === undefined) return noSuggestions
      return complete(text, caret, { reads, roots: await rootsOf(reading) })
    },
    [reading, reads],
  )
}
