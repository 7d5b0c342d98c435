// Several sources of events as one.

import type { AppEvents } from "./handlers.ts"

export const joinEvents = (sources: readonly AppEvents[]): AppEvents => ({
  subscribe: (listener) => {
    const leave = sources.map(({ subscribe }) => subscribe(listener))
    return () => {
      for (const each of leave) each()
    }
  },
})
