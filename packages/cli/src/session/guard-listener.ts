// Calls the listener of a caller of `run()` or `prepare()`.

import type { Listener } from "@callsheet/format"

interface GuardedListener {
  readonly listen: Listener
  /** Aborts when the listener has thrown. */
  readonly signal: AbortSignal
  /** Throws the listener's error again. */
  readonly rethrow: () => void
}

/** Wraps the caller's listener. Its errors must not interrupt the engine, but they must not get lost either. */
export function guardListener(listener: Listener | undefined): GuardedListener {
  const controller = new AbortController()
  let thrown: { readonly error: unknown } | undefined
  return {
    listen: (event: Parameters<Listener>[0]): void => {
      if (listener === undefined || thrown !== undefined) return
      try {
        listener(event)
      } catch (error) {
        thrown = { error }
        controller.abort()
      }
    },
    signal: controller.signal,
    rethrow: (): void => {
      if (thrown !== undefined) throw thrown.error
    },
  }
}
