// Computes which operations of documents a run reached, with their lines, from events and `callsheet list operations`.

import { createCoverageFold, type RunEvent } from "@callsheet/format"

/** An operation in the JSON of `callsheet list operations --json --lines`. */
export interface ListedOperation {
  readonly api: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly file?: string
  readonly line?: number
}

export interface OperationLine {
  readonly name: string
  /** 1-based. */
  readonly line: number
  /** How many blocks sent a request to it. */
  readonly count: number
  readonly answers: readonly { readonly status: string; readonly count: number }[]
}

/** Collects the events of several calls. */
export class DocumentCoverage {
  readonly #fold = createCoverageFold()
  #offset = 0
  #last = 0

  apply(event: RunEvent): void {
    this.#last = Math.max(this.#last, event.run + this.#offset)
    this.#fold.apply({ ...event, run: event.run + this.#offset })
  }

  /** Call it between two calls, whose runs have the same numbers. */
  next(): void {
    this.#offset = this.#last + 1
  }

  /** Returns the operations by file. Files are relative to the project. */
  lines(operations: readonly ListedOperation[]): ReadonlyMap<string, readonly OperationLine[]> {
    const details = new Map(
      this.#fold
        .coverage()
        .apis.flatMap(({ api, details: of }) =>
          of.map((detail) => [`${api} ${detail.method} ${detail.path}`, detail] as const),
        ),
    )
    const files = new Map<string, OperationLine[]>()
    for (const { api, method, path, operation, file, line } of operations) {
      const detail = details.get(`${api} ${method} ${path}`)
      if (detail === undefined || file === undefined || line === undefined) continue
      const answers = detail.answers.map(({ status, blocks }) => ({ status, count: blocks.length }))
      const lines = files.get(file) ?? []
      lines.push({ name: operation, line, count: detail.blocks.length, answers })
      files.set(file, lines)
    }
    return files
  }
}
