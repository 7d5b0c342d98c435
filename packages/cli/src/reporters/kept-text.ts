// Text that a reporter keeps until the run is over: a loop may have a million iterations. It is compressed in memory, and
// not on a disk, because something in it may turn out to be secret.

import { deflateRawSync, inflateRawSync } from "node:zlib"
import { parseJson } from "@callsheet/format"

const MAX_PLAIN_CHARACTERS = 256 * 1024

interface Kept<T> {
  readonly text: T
  /** How many values the session had learned when the first of the text was said. */
  readonly learned: number
}

export class KeptText {
  readonly #pieces: Kept<Buffer>[] = []
  #last: Kept<string> = { text: "", learned: 0 }

  get isEmpty(): boolean {
    return this.#last.text === "" && this.#pieces.length === 0
  }

  add(text: string, learned: number): void {
    const { text: before, learned: first } = this.#last
    this.#last = { text: before + text, learned: before === "" ? learned : Math.min(first, learned) }
    if (this.#last.text.length < MAX_PLAIN_CHARACTERS) return
    this.#pieces.push({ ...this.#last, text: deflateRawSync(this.#last.text, { level: 1 }) })
    this.#last = { text: "", learned: 0 }
  }

  *[Symbol.iterator](): Generator<Kept<string>, void> {
    for (const piece of this.#pieces) yield { ...piece, text: inflateRawSync(piece.text).toString() }
    if (this.#last.text !== "") yield this.#last
  }
}

/** What was kept as JSON. */
export function parseKept<T>(json: string): T {
  const parsed = parseJson(json)
  if (!parsed.ok) throw new Error("what was kept as JSON is not JSON")
  return parsed.value as T
}
