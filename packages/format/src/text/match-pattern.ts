// Finds the names that a pattern with `*` and `?` matches.

export const isPattern = (text: string): boolean => /[*?]/.test(text)

/** Returns a function that lists the names that match a pattern. `names` must be sorted. */
export function createMatcher(names: readonly string[]): (pattern: string) => readonly string[] {
  return (pattern) => {
    // Looks only at names with the same start: a suite may have thousands of patterns.
    const start = pattern.slice(0, pattern.search(/[*?]/))
    const matching: string[] = []
    for (let at = firstFrom(names, start); names[at]?.startsWith(start) === true; at++)
      if (matches(names[at]!, pattern)) matching.push(names[at]!)
    return matching
  }
}

/** Returns the index of the first name that doesn't sort before `start`. */
function firstFrom(names: readonly string[], start: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (names[middle]! < start) low = middle + 1
    else high = middle
  }
  return low
}

/** Never goes back further than the last `*`. A regular expression could take exponential time. */
export function matches(name: string, pattern: string): boolean {
  let at = 0
  let [star, resumeAt] = [-1, 0]
  for (let from = 0; from < name.length;) {
    if (pattern[at] === "*") {
      star = at++
      resumeAt = from
    } else if (pattern[at] === "?" || pattern[at] === name[from]) {
      at++
      from++
    } else if (star === -1) return false
    else {
      at = star + 1
      from = ++resumeAt
    }
  }
  return /^\**$/.test(pattern.slice(at))
}
