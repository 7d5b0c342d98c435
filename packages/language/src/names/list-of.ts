// Lists by a key, made when they are first asked for.

/** The list of a key; what is put into it stays there. */
export function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const list: V[] = []
  lists.set(key, list)
  return list
}
