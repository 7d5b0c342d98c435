// Whose result it is that a part of the page shows: of its values assertions, outputs and tokens can be made.

import { createContext, useContext } from "react"

interface ValueSource {
  readonly workflow: string
  /** The id of the block, as the file writes it. */
  readonly block: string
  /** From the id on to what is shown: `["response", "body"]`. */
  readonly steps: readonly (string | number)[]
}

const Context = createContext<ValueSource | undefined>(undefined)

/** Around what shows the value at `steps` of a block's result. */
export const ValueSourceProvider = Context

/** Undefined where what is shown is no result of a block of the file. */
export const useValueSource = (): ValueSource | undefined => useContext(Context)
