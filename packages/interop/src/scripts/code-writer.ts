// What the translations of calls, assertions and schemas need from the translation of expressions.

import type { Draft } from "./draft.ts"
import type { KnownValues } from "./known-values.ts"
import type { AnyNode } from "./syntax.ts"

export interface CodeWriter {
  readonly known: KnownValues
  readonly expression: (node: AnyNode) => Draft
  /** Writes an operand. Adds parentheses wherever precedence could matter. */
  readonly operand: (node: AnyNode) => Draft
  readonly arguments: (nodes: readonly AnyNode[]) => Draft
  readonly text: (raw: string) => Draft
  /** Returns whether a name is a function of the script, which may be called. */
  readonly isFunction: (name: string) => boolean
  /** Returns whether the script declares a name. */
  readonly isDeclared: (name: string) => boolean
}
