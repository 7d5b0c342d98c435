// What the server has said, kept until it says that it has changed.

import { QueryClient } from "@tanstack/react-query"
import type { AppEvent } from "@callsheet/server/calls"

export const queryClient = new QueryClient({
  defaultOptions: {
    // Changes are told by events; `always`, for a machine without a network reaches its own loopback.
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

/** Fulfilled when all that is shown was read. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries()
