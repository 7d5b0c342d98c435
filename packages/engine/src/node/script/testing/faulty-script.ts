// A script that misbehaves, with the expected outcome.

import type { ProblemCode } from "@callsheet/format"
import type { TryOptions } from "./script-bench.ts"

export interface FaultyScript {
  /** The row in the list of faults, and how the script misbehaves. */
  readonly fault: string
  readonly script: string
  /** How to call the script. If no kind is given, the script behaves the same in every kind of block. */
  readonly options?: TryOptions
  readonly code?: string
  /** The problem that keeps the run from starting. */
  readonly refused?: ProblemCode
  /** Matches the message, or the logs if the script passes. */
  readonly says?: RegExp
}

/** Returns the text of a script whose export `fn` has this body. */
export const fn = (body: string): string => `export const fn = async (ctx: any) => {\n${body}\n}`

/** Ends a script's body with the result that the calling block expects. */
export const fits = `return (ctx as any).block.type === "transform" ? {} : true`

export const transform = { kind: "transform" } as const
export const condition = { kind: "condition" } as const
