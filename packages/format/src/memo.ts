// What is found once is kept: a value is made when it is first asked for.

interface Store<K, V> {
  readonly has: (key: K) => boolean
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => unknown
}

/** Returns the value that a map keeps for a key, made if there is none yet. */
export function getOrCreate<K, V>(store: Store<K, V>, key: K, make: (key: K) => V): V {
  const known = store.get(key)
  if (known !== undefined || store.has(key)) return known as V
  const value = make(key)
  store.set(key, value)
  return value
}

/** The same function, which keeps its result for each object that it is given first, as long as that object lives. */
export function memo<K extends object, V, R = void>(make: (key: K, rest: R) => V): (key: K, rest: R) => V {
  const results = new WeakMap<K, V>()
  return (key, rest) => getOrCreate(results, key, () => make(key, rest))
}

/** The same function, called at most once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The same for a function of texts. Past a number of answers all are forgotten, since texts made from responses are without end. */
export function memoTexts<T>(read: (text: string) => T, maxKept = 10_000): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    if (answers.size > maxKept) answers.clear()
    const answer = read(text)
    answers.set(text, answer)
    return answer
  }
}
