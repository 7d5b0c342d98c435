// Defines how a name is looked up: the rules that a run, `validate` and completion share.

import { traitsOf } from "@callsheet/format"

const lookUpOrder = ["iterator", "input", "result", "variable", "environment"] as const

type MeaningKind = (typeof lookUpOrder)[number]

/** Lookup functions for each kind of meaning. `undefined` continues with the next kind. */
export type Meanings<T> = { readonly [K in MeaningKind]: (name: string) => T | undefined }

export function lookUpName<T>(name: string, meanings: Meanings<T>): T | undefined {
  // In the same order, but unrolled for speed: every assertion of every iteration needs it.
  return (
    meanings.iterator(name) ??
    meanings.input(name) ??
    meanings.result(name) ??
    meanings.variable(name) ??
    meanings.environment(name)
  )
}

export interface ScopeLoop {
  readonly iteratorVar?: string | undefined
  readonly execution?: "sequential" | "parallel" | undefined
}

/** A chain of loops, innermost first. The top of a run has no loop. */
interface Loops<C> {
  readonly loop: ScopeLoop | undefined
  readonly outer: C | undefined
}

export function iteratorNamed<C extends Loops<C>>(loops: C | undefined, name: string): C | undefined {
  let here = loops
  while (here !== undefined && here.loop?.iteratorVar !== name) here = here.outer
  return here
}

/** Returns the loop whose index or iterator a token reads: `$index`, `i`, `item.sku`. */
export const loopGiving = <C extends Loops<C>>(loops: C | undefined, token: string): C | undefined =>
  token === "$index" ? loops : iteratorNamed(loops, token.split(/[.[]/, 1)[0] ?? "")

/** Returns whether an iteration can read results of an earlier one. Parallel iterations cannot. */
export const readsEarlierIterations = ({ execution }: ScopeLoop): boolean => execution !== "parallel"

export const leavesResult = ({ type }: { readonly type?: unknown }): boolean =>
  (traitsOf(type)?.result ?? "none") !== "none"

/** Lists names in lookup order. If several are the same, the first one wins. */
export function inLookUpOrder<N extends { readonly name: string }>(names: {
  readonly [K in MeaningKind]: readonly N[]
}): readonly N[] {
  const first = new Map<string, N>()
  for (const kind of lookUpOrder)
    for (const named of names[kind]) if (!first.has(named.name)) first.set(named.name, named)
  return [...first.values()]
}
