// Suggests the names that a form's block can read.

import { createContext, useContext, useMemo } from "react"
import type { Suggestions } from "../suggestion.ts"
import { complete, pathAt, type Reads } from "./complete.ts"
import { noSuggestions } from "../suggestion.ts"
import { rootsOf, type Reading } from "./roots.ts"

export const ReadingContext = createContext<Reading | undefined>(undefined)

/** Returns the block that the form's fields belong to. Undefined outside a form. */
export const useReading = (): Reading | undefined => useContext(ReadingContext)

/** Returns a function that suggests names. Outside a form, it suggests nothing. */
export function useSuggest(reads: Reads): (text: string, caret: number) => Promise<Suggestions> {
  const reading = useReading()
  return useMemo(
    () => async (text, caret) => {
      if (reading === undefined || pathAt(text, caret, reads) === undefined) return noSuggestions
      return complete(text, caret, { reads, roots: await rootsOf(reading) })
    },
    [reading, reads],
  )
}
