// How this page and its server stand: what the banner shows.

import { create } from "zustand"

/**
 * `opening`: nothing was heard yet. `open`: all is well. `lost`: nothing answers, and the page tries again.
 * `ended`: the server answers, but knows this page no longer; a new link is needed.
 */
type ConnectionStatus = "opening" | "open" | "lost" | "ended"

interface Connection {
  readonly status: ConnectionStatus
  readonly isTrying: boolean
}

export const useConnection = create<Connection>(() => ({
  status: "opening",
  isTrying: false,
}))
