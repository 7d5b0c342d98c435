// The run of the Test Explorer that shows results. Each session of a continuous run has its own, so that its results
// replace those of the last one.

import type { TestRun } from "vscode"

export class ShownRun {
  readonly #create: () => TestRun
  #open: TestRun | undefined

  constructor(create: () => TestRun) {
    this.#create = create
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** The open run. Starts one if there is none. */
  get open(): TestRun {
    return (this.#open ??= this.#create())
  }

  end(): void {
    this.#open?.end()
    this.#open = undefined
  }
}
