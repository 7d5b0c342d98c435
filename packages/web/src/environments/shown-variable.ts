// The variable to show when its table opens.

import { create } from "zustand"

interface ShownVariable {
  readonly api: string
  readonly variable: string
}

export const useShownVariable = create<{ readonly shown: ShownVariable | undefined }>(() => ({
  shown: undefined,
}))

/** Shows the variable when the table of its API is shown. */
export const showVariable = (api: string, variable: string): void =>
  useShownVariable.setState({ shown: { api, variable } })
