// The call that previews what `callsheet generate` writes.

import { shapes } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api, text } from "./names.ts"
import type { ChangePreview } from "./change-sets.ts"

const { object, optional } = shapes

const choice = object({
  api,
  tag: optional(text, "A tag. By default, everything is generated."),
  operation: optional(text, "The name of an operation. Its resource is generated as a whole."),
})
export type TestChoice = shapes.TypeOf<typeof choice>

export const generateCalls = {
  /**
   * Previews the workflows and the suite that the API's document gives, with what a person changed. `plans.apply` writes
   * them. Answers 422 with the problems if the document can't be read.
   */
  "tests.plan": call(choice, answer<TestsPreview>()),
}

export interface TestsPreview extends ChangePreview {
  /** The generated workflows that exist afterwards, whether they change or not. */
  readonly workflows: readonly string[]
  /** The suites that run them. */
  readonly suites: readonly string[]
  /** What stays because a person changed it, although the document asks for something else. */
  readonly kept: readonly { readonly file: string; readonly block?: string; readonly reason: string }[]
  /** The operations that have no test yet. */
  readonly skipped: readonly { readonly operation: string; readonly reason: string }[]
  /** The operations that the document added and lost since the last time. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}
