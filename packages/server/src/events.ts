// Event sources with subscribers.

import type { AppEvent } from "./calls/index.ts"

export function createEventSource<E>() {
  const listeners = new Set<(event: E) => void>()
  return {
    /** Calls the listener with each event until the returned function is called. */
    subscribe: (listener: (event: E) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: (event: E): void => {
      for (const listener of listeners) listener(event)
    },
    close: (): void => listeners.clear(),
  }
}

export interface AppEvents {
  readonly subscribe: (listener: (event: AppEvent) => void) => () => void
}

export const joinEvents = (sources: readonly AppEvents[]): AppEvents => ({
  subscribe: (listener) => {
    const leave = sources.map(({ subscribe }) => subscribe(listener))
    return () => {
      for (const each of leave) each()
    }
  },
})
