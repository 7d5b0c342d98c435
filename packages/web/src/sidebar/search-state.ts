// The search text of the sidebar.

import { create } from "zustand"

export const useSearch = create<{ readonly query: string; readonly method: string | undefined }>(() => ({
  query: "",
  method: undefined,
}))

export const clearSearch = (): void => useSearch.setState({ query: "", method: undefined })
