// A script that misbehaves, and what must come of it.

import type { ProblemCode } from "@callsheet/format"
import type { TryOptions } from "./script-bench.ts"

export interface FaultyScript {
  /** The row of the list of faults, and what the script does. */
  readonly fault: string
  readonly script: string
  /** Without a kind it behaves so in every place. */
  readonly options?: TryOptions
  /** Absent where the block passes. */
  readonly code?: string
  /** The problem for which a run does not start: it is known beforehand. */
  readonly refused?: ProblemCode
  /** Found in the message, or in the logs where the script passes. */
  readonly says?: RegExp
}

/** The text of a script whose export `fn` has that body. */
export const fn = (body: string): string => `export const fn = async (ctx: any) => {\n${body}\n}`

/** Ends such a body with what the block that calls it wants. */
export const fits = `return (ctx as any).block.type === "transform" ? {} : true`

export const transform = { kind: "transform" } as const
export const condition = { kind: "condition" } as const
