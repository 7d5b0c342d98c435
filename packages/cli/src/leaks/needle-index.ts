// Searches for thousands of texts in one pass, by their last characters, in which secrets of one kind differ.

const TAIL = 4
/** A bit for each hash of a tail. Most positions of a text are not the end of any needle. */
const HASHES = 1 << 18

export function createNeedleIndex<T>() {
  const byTail = new Map<string, { readonly needle: string; readonly means: T }[]>()
  const hashes = new Uint8Array(HASHES)
  return {
    /** Ignores texts shorter than four characters. */
    add: (needle: string, means: T): void => {
      if (needle.length < TAIL) return
      const tail = needle.slice(-TAIL)
      hashes[hashAt(tail, 0)] = 1
      const alike = byTail.get(tail)
      if (alike === undefined) byTail.set(tail, [{ needle, means }])
      else alike.push({ needle, means })
    },
    /** Yields the meanings of the needles that occur in `text`. */
    find: function* (text: string): Generator<T, void> {
      for (let at = 0; at + TAIL <= text.length; at++) {
        if (hashes[hashAt(text, at)] === 0) continue
        for (const { needle, means } of byTail.get(text.slice(at, at + TAIL)) ?? []) {
          const start = at + TAIL - needle.length
          if (start >= 0 && text.startsWith(needle, start)) yield means
        }
      }
    },
  }
}

const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 4099) ^
    (text.charCodeAt(at + 1) * 257) ^
    (text.charCodeAt(at + 2) * 32771) ^
    (text.charCodeAt(at + 3) * 17)) &
  (HASHES - 1)
