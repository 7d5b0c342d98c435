// Caches values. Each one is created on first use.

interface Store<K, V> {
  readonly has: (key: K) => boolean
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => unknown
}

/** Returns the value stored for a key, or creates and stores it. */
export function getOrCreate<K, V>(store: Store<K, V>, key: K, make: (key: K) => V): V {
  const known = store.get(key)
  if (known !== undefined || store.has(key)) return known as V
  const value = make(key)
  store.set(key, value)
  return value
}

/** Returns a function that caches its result per first argument, for as long as that object lives. */
export function memo<K extends object, V, R = void>(make: (key: K, rest: R) => V): (key: K, rest: R) => V {
  const results = new WeakMap<K, V>()
  return (key, rest) => getOrCreate(results, key, () => make(key, rest))
}

/** Returns a function that calls `make` at most once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Caches results by string. Clears the cache at a limit, because the number of strings in responses is unlimited. */
export function memoTexts<T>(read: (text: string) => T, maxKept = 10_000): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    if (answers.size > maxKept) answers.clear()
    return getOrCreate(answers, text, read)
  }
}
