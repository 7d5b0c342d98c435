// Defines the lookup of names for runs, `validate` and completion.

import { traitsOf } from "@callsheet/format"

const lookUpOrder = ["iterator", "input", "result", "variable", "environment"] as const

type MeaningKind = (typeof lookUpOrder)[number]

/** The lookup functions by kind of name. If one returns undefined, the lookup continues with the next kind. */
export type Meanings<T> = { readonly [K in MeaningKind]: (name: string) => T | undefined }

export function lookUpName<T>(name: string, meanings: Meanings<T>): T | undefined {
  // Written without a loop, because every assertion of every iteration calls this function.
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

/** The loops around a block, innermost first. `loop` is undefined at the top of a run. */
interface Loops<C> {
  readonly loop: ScopeLoop | undefined
  readonly outer: C | undefined
}

export function iteratorNamed<C extends Loops<C>>(loops: C | undefined, name: string): C | undefined {
  let here = loops
  while (here !== undefined && here.loop?.iteratorVar !== name) here = here.outer
  return here
}

/** Returns the loop whose index or iterator a placeholder reads: `$index`, `i`, `item.sku`. */
export const loopGiving = <C extends Loops<C>>(loops: C | undefined, token: string): C | undefined =>
  token === "$index" ? loops : iteratorNamed(loops, token.split(/[.[]/, 1)[0] ?? "")

/** Returns whether an iteration can read results of earlier iterations. False if iterations run in parallel. */
export const readsEarlierIterations = ({ execution }: ScopeLoop): boolean => execution !== "parallel"

export const leavesResult = ({ type }: { readonly type?: unknown }): boolean =>
  (traitsOf(type)?.result ?? "none") !== "none"

/** Lists names in lookup order. Keeps only the first of several equal names. */
export function inLookUpOrder<N extends { readonly name: string }>(names: {
  readonly [K in MeaningKind]: readonly N[]
}): readonly N[] {
  const first = new Map<string, N>()
  for (const kind of lookUpOrder)
    for (const named of names[kind]) if (!first.has(named.name)) first.set(named.name, named)
  return [...first.values()]
}
