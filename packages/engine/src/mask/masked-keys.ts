// Keys of a masked object: two that masking makes alike stay two.

/**
 * How the keys of `from` are shown in its copy: the second `***` of an object is `*** (2)`. A key that nothing masks
 * keeps its name, whatever the others become.
 */
export function createMaskedKeys(from: object, mask: (key: string) => string): (key: string) => string {
  /** How often a masked key was asked for, and keys that were made by counting. */
  let counts: Map<string, number> | undefined
  return (key) => {
    const shown = mask(key)
    if (shown === key) return key
    counts ??= new Map()
    let number = counts.get(shown) ?? 0
    let free: string
    do {
      number++
      free = number === 1 ? shown : `${shown} (${number})`
    } while (Object.hasOwn(from, free) || (number > 1 && counts.has(free)))
    counts.set(shown, number)
    if (number > 1) counts.set(free, 1)
    return free
  }
}
