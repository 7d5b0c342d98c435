// Caches server data until the server reports a change.

import { QueryClient } from "@tanstack/react-query"
import type { AppEvent } from "@callsheet/server/calls"

export const queryClient = new QueryClient({
  defaultOptions: {
    // Events report changes. Use `always`, because a machine without a network can still reach its own server.
    queries: {
      staleTime: Infinity,
      gcTime: Infinity,
      retry: false,
      networkMode: "always",
      refetchOnWindowFocus: false,
    },
  },
})

export function hearEvent(event: AppEvent): void {
  if (event.type === "project.changed") void readAgain()
}

/** Resolves once all visible data is read again. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries()
