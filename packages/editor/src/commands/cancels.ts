// Which commands are in progress, so that a user can cancel them.

import type { ProgressToken } from "vscode-languageserver-protocol"

/** The commands in progress that a user can cancel, by token. */
export function createCancels() {
  const going = new Map<ProgressToken, AbortController>()
  return {
    cancel: (token: ProgressToken): void => going.get(token)?.abort(),
    cancelAll: (): void => {
      for (const controller of going.values()) controller.abort()
    },
    add: (token: ProgressToken): AbortSignal => {
      const controller = new AbortController()
      going.set(token, controller)
      return controller.signal
    },
    remove: (token: ProgressToken): void => void going.delete(token),
  }
}

export type Cancels = ReturnType<typeof createCancels>
