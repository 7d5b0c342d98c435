// A script that misbehaves, with the expected outcome.

import type { ProblemCode } from "@callsheet/format"
import type { TryOptions } from "./script-bench.ts"

export interface FaultyScript {
  /** The row of the list of faults, and the script's misbehavior. */
  readonly fault: string
  readonly script: string
  /** Without a kind, the script behaves the same in every kind of block. */
  readonly options?: TryOptions
  readonly code?: string
  /** The problem that keeps the run from starting, because it is known before. */
  readonly refused?: ProblemCode
  /** Found in the message, or in the logs if the script passes. */
  readonly says?: RegExp
}

/** Returns the text of a script whose export `fn` has this body. */
export const fn = (body: string): string => `export const fn = async (ctx: any) => {\n${body}\n}`

/** Ends such a body with the result that the calling block expects. */
export const fits = `return (ctx as any).block.type === "transform" ? {} : true`

export const transform = { kind: "transform" } as const
export const condition = { kind: "condition" } as const
