// Searches long texts in pieces. The search of a whole document would reach its limit, and then hides all of it.

/** Returns the places of secrets in a text, in order. `secret` is the index of the secret. */
export type SecretSearch = (
  text: string,
) => readonly { readonly from: number; readonly to: number; readonly secret: number }[]

const PIECE = 64 * 1024
/** How much longer a secret may be in a text: each encoding adds to it. */
const MAX_GROWTH = 16

/** Returns a search that also finds what is in two pieces. `longest` is the length of the longest secret. */
export function searchInPieces(search: SecretSearch, longest: number): SecretSearch {
  const overlap = MAX_GROWTH * longest
  const size = Math.max(PIECE, 4 * overlap)
  return (text) => {
    if (text.length <= size) return search(text)
    const found: { from: number; to: number; secret: number }[] = []
    for (let start = 0; start < text.length; start = nextStart(text, start + size, overlap)) {
      for (const { from, to, secret } of search(text.slice(start, start + size))) {
        const last = found.at(-1)
        if (last === undefined || start + from >= last.to)
          found.push({ from: start + from, to: start + to, secret })
        else last.to = Math.max(last.to, start + to)
      }
    }
    return found
  }
}

/** Starts a piece before the end of the last one, and not within an encoded run, which would lose its meaning. */
function nextStart(text: string, end: number, overlap: number): number {
  if (end >= text.length) return text.length
  const latest = end - overlap
  for (let at = latest; at > latest - overlap; at--) if (/[\s"']/.test(text[at] ?? "")) return at
  return latest
}
