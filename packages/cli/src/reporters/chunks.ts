// Joins small strings to large ones, because each write costs a system call.

/** The length of a chunk, in characters. V8 keeps a string of this length among small objects. */
const CHUNK = 16 * 1024

export function* chunks(pieces: Iterable<string>): Generator<string, void> {
  let text = ""
  for (const piece of pieces) {
    text += piece
    if (text.length < CHUNK) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
}
