// Splits a stream of text into lines.

/** Calls `onLine` for each line, without its end. */
export class LineReader {
  readonly #onLine: (line: string) => void
  #parts: string[] = []

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  add(text: string): void {
    const [first = "", ...rest] = text.split("\n")
    this.#parts.push(first)
    for (const next of rest) {
      this.#flush()
      this.#parts.push(next)
    }
  }

  /** Passes on a last line that has no end. */
  end(): void {
    if (this.#parts.some((part) => part !== "")) this.#flush()
  }

  #flush(): void {
    const line = this.#parts.join("")
    this.#parts = []
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line)
  }
}
