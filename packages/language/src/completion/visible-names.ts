// The names that a block of a workflow may read, whether or not the file is right yet: what completion offers.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { rawPlaces, type Places } from "../scope/places.ts"

export type VisibleName =
  | { readonly is: "iterator"; readonly name: string; readonly loop: JsonObject }
  | { readonly is: "input"; readonly name: string; readonly declaration: JsonValue }
  | { readonly is: "result"; readonly name: string; readonly block: JsonObject }

/** The names by what they mean. */
export interface VisibleNames {
  /** From the innermost loop outwards. */
  readonly iterator: readonly VisibleName[]
  readonly input: readonly VisibleName[]
  /** The closest block first. */
  readonly result: readonly VisibleName[]
  /** Whether a loop is around, so that there is an index. */
  readonly hasIndex: boolean
}

/** The names of one workflow, as its file has them. */
export class WorkflowNames {
  readonly #inputs: JsonValue | undefined
  readonly #places: Places<JsonObject>

  constructor(workflow: JsonValue | undefined) {
    const { inputs, blocks } = isJsonObject(workflow) ? workflow : {}
    this.#inputs = inputs
    this.#places = rawPlaces(blocks)
  }

  /** What a block sees; `isAfterNested` for the check of a loop, which is made after its blocks. */
  visibleTo(block: JsonObject, isAfterNested = false): VisibleNames {
    const reader = { block, isAfterNested }
    const around = this.#places.loopsOf(reader)
    const iterator: VisibleName[] = []
    for (let here = around; here !== undefined; here = here.outer) {
      const name = here.loop.iteratorVar
      if (name !== undefined) iterator.push({ is: "iterator", name, loop: here.place.block })
    }
    const inputs = isJsonObject(this.#inputs) ? Object.entries(this.#inputs) : []
    return {
      iterator,
      input: inputs.map(([name, declaration]) => ({ is: "input", name, declaration })),
      result: this.#places.resultsFor(reader).map((result) => ({ is: "result", ...result })),
      hasIndex: around !== undefined,
    }
  }
}
