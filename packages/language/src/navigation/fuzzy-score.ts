// Scores how well a name matches what someone typed, as the quick search of editors does.

/**
 * Returns a score, higher for better matches, or undefined if the name doesn't contain the characters in this order. Any
 * name matches an empty query.
 */
export function fuzzyScore(query: string, name: string): number | undefined {
  const [wanted, text] = [query.toLowerCase(), name.toLowerCase()]
  if (text === wanted) return 1_000
  if (text.startsWith(wanted)) return 900 - name.length / 1_000
  const at = text.indexOf(wanted)
  if (at !== -1) return (isWordStart(name, at) ? 800 : 700) - name.length / 1_000
  let score = 0
  let next = 0
  for (const char of wanted) {
    const found = text.indexOf(char, next)
    if (found === -1) return undefined
    score += found === next ? 2 : isWordStart(name, found) ? 1 : 0
    next = found + 1
  }
  return score - name.length / 1_000
}

function isWordStart(name: string, at: number): boolean {
  const [before = "", char = ""] = [name[at - 1], name[at]]
  return before === "" || /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(char))
}
