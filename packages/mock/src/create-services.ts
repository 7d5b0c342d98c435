// Starts the servers that stand in for APIs during the runs of a session.

import type { OpenService, ServiceOrder, ServicePort } from "@callsheet/engine"
import { createInbox } from "./inbox/open-inbox.ts"
import type { MockOptions } from "./mock/start-mock.ts"

export interface Services extends ServicePort {
  /** Ends every server. */
  readonly close: () => Promise<void>
}

/** Reads the answers of an API from a record in the project. Throws if it has none. */
export type ReadRecorded = (file: string, api: string) => Promise<MockOptions["recorded"]>

export function createServices(readRecorded: ReadRecorded): Services {
  const inbox = createInbox()
  const mocks = new Set<OpenService>()
  const closeMock = async (mock: OpenService): Promise<void> => {
    if (mocks.delete(mock)) await mock.close()
  }
  return {
    open: async (order) => {
      if (order.is === "inbox") return inbox.open(order)
      const mock = await openMock(order, readRecorded)
      mocks.add(mock)
      return { ...mock, close: () => closeMock(mock) }
    },
    close: async () => {
      await Promise.all([inbox.close(), ...[...mocks].map(closeMock)])
    },
  }
}

/** Throws `port-unusable`, and the problems of a record. */
async function openMock(
  { api, mock, onBug }: ServiceOrder,
  readRecorded: ReadRecorded,
): Promise<OpenService> {
  const { document, settings } = mock
  const { state, seed, from } = settings
  const recorded = from === undefined ? undefined : await readRecorded(from, api)
  const { startMock } = await import("./mock/start-mock.ts")
  const { url, close } = await startMock({ api, document, recorded, state, seed, onBug })
  return { baseUrl: url, address: url, close }
}
