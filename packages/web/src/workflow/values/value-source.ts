// The block whose result is shown. Assertions, outputs and placeholders can be created from its values.

import { createContext, useContext } from "react"

interface ValueSource {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
  /** The steps from the id to the shown value: `["response", "body"]`. */
  readonly steps: readonly (string | number)[]
}

const Context = createContext<ValueSource | undefined>(undefined)

/** Tells the views inside it which block's result they show, and the steps to their value. */
export const ValueSourceProvider = Context

/** Returns undefined if the view doesn't show the result of a block in the file. */
export const useValueSource = (): ValueSource | undefined => useContext(Context)
