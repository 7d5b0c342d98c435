// A store with a value per key, such as a workflow. Kept while the page is open.

import { create } from "zustand"

export function createKeyedStore<T>(initial: T) {
  const store = create<{ readonly known: ReadonlyMap<string, T> }>(() => ({ known: new Map() }))
  const now = (key: string): T => store.getState().known.get(key) ?? initial
  return {
    now,
    use: (key: string): T => store(({ known }) => known.get(key) ?? initial),
    set: (key: string, value: T): void =>
      store.setState(({ known }) => ({ known: new Map(known).set(key, value) })),
  }
}
