// The state of the connection to the server, as the banner shows it.

import { create } from "zustand"

/**
 * `opening`: no response yet. `open`: connected. `lost`: no response, and the page tries again. `ended`: the server
 * doesn't know this page, which needs a new link.
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
