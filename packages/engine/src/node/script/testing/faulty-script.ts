// A script that misbehaves, with the expected outcome.

import type { ProblemCode } from "@callsheet/format"
import type { TryOptions } from "./script-bench.ts"

export interface FaultyScript {
  /** The id in the list of faults, and the way in which the script misbehaves. */
  readonly fault: string
  readonly script: string
  /** How to call the script. If no kind is given, it behaves the same in every kind of block. */
  readonly options?: TryOptions
  readonly code?: string
  /** The problem that keeps the run from starting. */
  readonly refused?: ProblemCode
  /** Matches the message. For a script that passes, matches its logs. */
  readonly says?: RegExp
}

/** Returns a script whose export `fn` has this body. */
export const fn = (body: string): string => `export const fn = async (ctx: any) => {\n${body}\n}`

/** Ends a script's body with a result that the calling block accepts. */
export const fits = `return { transform: {}, condition: true, loop: true }[(ctx as any).block.type as string]`

export const transform = { kind: "transform" } as const
export const condition = { kind: "condition" } as const
