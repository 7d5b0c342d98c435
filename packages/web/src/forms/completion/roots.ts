// What the fields of a form read, and completion of the paths in them.

import type { Block, JsonObject, JsonValue } from "@callsheet/format"
import {
  completePath,
  noSuggestions,
  pathAt,
  pathRoots,
  type PathReading,
  type Reads,
  type Root,
  type Suggestions,
} from "@callsheet/language"
import { createContext, useContext, useMemo } from "react"
import { operationOfBlock, readVariables, seenOf } from "./known-sources.ts"

export type Reading = PathReading

/** Returns the names with which a path can start. Loads variables at once, because a path can start with one. */
export const rootsOf = (reading: Reading): Promise<readonly Root[]> =>
  pathRoots(reading, { variablesOf: readVariables, operationOf: operationOfBlock, seenOf })

/** Returns the API whose variables a block reads without a prefix. */
export const apiOfBlock = (block: Block | JsonValue): string | undefined => {
  const request = (block as JsonObject | null)?.["request"] as JsonObject | null | undefined
  const api = request?.["api"]
  return typeof api === "string" ? api : undefined
}

export const ReadingContext = createContext<Reading | undefined>(undefined)

/** Returns the block that the form's fields belong to. Undefined outside a form. */
export const useReading = (): Reading | undefined => useContext(ReadingContext)

/** Returns a function that suggests names. Outside a form, it suggests nothing. */
export function useSuggest(reads: Reads): (text: string, caret: number) => Promise<Suggestions> {
  const reading = useReading()
  return useMemo(
    () => async (text, caret) => {
      if (reading === undefined || pathAt(text, caret, reads) === undefined) return noSuggestions
      return completePath(text, caret, { reads, roots: await rootsOf(reading) })
    },
    [reading, reads],
  )
}
