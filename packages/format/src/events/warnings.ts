// Collects the warnings of a session. Counts a warning once, even if several runs or iterations raise it.

import type { Problem } from "../problems.ts"
import type { ReportWarning } from "./types.ts"

export class Warnings {
  readonly #list: ReportWarning[]
  readonly #known: Set<string>

  /** Appends new warnings to `list`. */
  constructor(list: ReportWarning[] = []) {
    this.#list = list
    this.#known = new Set(list.map(keyOf))
  }

  get count(): number {
    return this.#list.length
  }

  /** Returns true if the warning is new. */
  add({ code, message, hint, file, line, column }: Problem): boolean {
    const warning: ReportWarning = {
      code,
      message: hint === undefined ? message : `${message} (${hint})`,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line, column }),
    }
    const key = keyOf(warning)
    if (this.#known.has(key)) return false
    this.#known.add(key)
    this.#list.push(warning)
    return true
  }
}

const keyOf = ({ code, message, file, line, column }: ReportWarning): string =>
  [code, message, file, line, column].join("\n")
