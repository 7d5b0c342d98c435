// The block whose result is shown, so that assertions, outputs and tokens can be created from its values.

import { createContext, useContext } from "react"

interface ValueSource {
  readonly workflow: string
  /** The block's id as written in the file. */
  readonly block: string
  /** From the id to the shown value: `["response", "body"]`. */
  readonly steps: readonly (string | number)[]
}

const Context = createContext<ValueSource | undefined>(undefined)

/** Wraps the view of the value at `steps` in a block's result. */
export const ValueSourceProvider = Context

/** Undefined if the view doesn't show the result of a block in the file. */
export const useValueSource = (): ValueSource | undefined => useContext(Context)
