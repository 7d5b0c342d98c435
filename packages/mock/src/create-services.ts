// Starts the servers that stand in for APIs during the runs of a session.

import type { ServicePort } from "@callsheet/engine"
import { createInbox } from "./inbox/open-inbox.ts"

export interface Services extends ServicePort {
  /** Ends every server. */
  readonly close: () => Promise<void>
}

export function createServices(): Services {
  const inbox = createInbox()
  return { open: inbox.open, close: inbox.close }
}
