// Calls about changes of documents since the last commit: what they break here, and the repairs.

import { shapes, type LineColumn, type Problem } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api, apiName } from "./names.ts"
import type { ChangePreview } from "./change-sets.ts"

const { object, optional } = shapes

export const impactCalls = {
  /** Compares an API's document with that of the last commit, as `callsheet impact --api` does. */
  "impact.read": call(object({ api }), answer<ImpactView>()),
  /**
   * Previews the repairs of `callsheet validate --fix`. With an API, only those that the change of its document asks
   * for. Answers 422 if the documents can't be compared.
   */
  "repairs.plan": call(
    object({ api: optional(apiName, "The API. By default, the whole project is repaired.") }),
    answer<ChangePreview>(),
  ),
}

export type ImpactView =
  /** No file of a document has changed. */
  | { readonly is: "same" }
  /** `reason` says why there is no document to compare with. */
  | { readonly is: "unknown"; readonly reason: string }
  /** One of the two documents can't be read. */
  | { readonly is: "unreadable"; readonly problems: readonly Problem[] }
  | ImpactChanges

/** What a change means here, as `callsheet impact` says it. */
type ImpactClass = "breaks" | "unused" | "compatible"

export interface ImpactChanges {
  readonly is: "compared"
  /** The document that only one side has. */
  readonly only?: "old" | "new" | undefined
  /** What breaks first. Of each class, the first ones. */
  readonly changes: readonly ImpactChange[]
  readonly counts: Readonly<Record<ImpactClass, number>>
  /** The number of places that `repairs.plan` repairs. */
  readonly repairs: number
}

export interface ImpactChange {
  readonly operation: string
  readonly class: ImpactClass
  readonly message: string
  /** In the current document, or in the old one if it is gone. */
  readonly place?: DocumentPlace | undefined
  /** The method and path, if the current document has the operation. */
  readonly target?: { readonly method: string; readonly path: string } | undefined
  /** The first places that the change breaks. */
  readonly uses: readonly ImpactUseView[]
  readonly omittedUses?: number | undefined
}

interface DocumentPlace {
  readonly file: string
  readonly line: number
  readonly isOld?: true | undefined
}

export interface ImpactUseView extends LineColumn {
  readonly workflow: string
  readonly block: string
  readonly file: string
}
