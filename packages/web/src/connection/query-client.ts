// Keeps data from the server until the server reports a change.

import { QueryClient } from "@tanstack/react-query"
import type { AppEvent } from "@callsheet/server/calls"

export const queryClient = new QueryClient({
  defaultOptions: {
    // Events report changes. `always`, because a machine without a network still reaches its own server.
    queries: {
      staleTime: Infinity,
      gcTime: Infinity,
      retry: false,
      networkMode: "always",
      refetchOnWindowFocus: false,
    },
  },
})

export const mockKey = (api: string) => ["mock", api] as const

export function hearEvent(event: AppEvent): void {
  if (event.type === "mock.changed")
    void queryClient.invalidateQueries({ queryKey: mockKey(event.api), exact: true })
  if (event.type !== "project.changed") return
  // A first read isn't repeated by `readAgain`, although it may have begun before the change.
  const begun = queryClient
    .getQueryCache()
    .findAll({ fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined })
  void readAgain()
  for (const query of begun) {
    const { queryKey } = query
    const repeat = (): void => void queryClient.invalidateQueries({ queryKey, exact: true })
    void query.promise?.then(repeat, repeat)
  }
}

/** Reads all visible data again. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries()
