// Event sources with subscribers.

import type { AppEvent } from "./calls/index.ts"

export interface EventSource<E> {
  /** Calls the listener with each event until the returned function is called. */
  readonly subscribe: (listener: (event: E) => void) => () => void
  readonly emit: (event: E) => void
  readonly close: () => void
}

export function createEventSource<E>(): EventSource<E> {
  const listeners = new Set<(event: E) => void>()
  return {
    subscribe: (listener) => {
      // A wrapper per subscription: a listener that subscribes twice is called twice and can unsubscribe once.
      const own = (event: E): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    close: () => listeners.clear(),
  }
}

export type AppEvents = Pick<EventSource<AppEvent>, "subscribe">

export const joinEvents = (sources: readonly AppEvents[]): AppEvents => ({
  subscribe: (listener) => {
    const leave = sources.map(({ subscribe }) => subscribe(listener))
    return () => {
      for (const each of leave) each()
    }
  },
})
