// How a name is looked up: the rules that a run, `validate` and completion share.

import { traitsOf } from "@callsheet/format"

/** What the first name of a path may mean, in the order in which it is looked up. */
const lookUpOrder = ["iterator", "input", "result", "variable", "environment"] as const

type MeaningKind = (typeof lookUpOrder)[number]

/** Where to look for each kind of meaning; `undefined` passes the name on to the next one. */
export type Meanings<T> = { readonly [K in MeaningKind]: (name: string) => T | undefined }

export function lookUpName<T>(name: string, meanings: Meanings<T>): T | undefined {
  // In the same order, written out: every assertion of every iteration asks.
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

/** The loops around a place, innermost first. The top of a run has no loop. */
interface Loops<C> {
  readonly loop: ScopeLoop | undefined
  readonly outer: C | undefined
}

export function iteratorNamed<C extends Loops<C>>(loops: C | undefined, name: string): C | undefined {
  let here = loops
  while (here !== undefined && here.loop?.iteratorVar !== name) here = here.outer
  return here
}

/** The loop whose index or iterator a token reads: `$index`, `i`, `item.sku`. */
export const loopGiving = <C extends Loops<C>>(loops: C | undefined, token: string): C | undefined =>
  token === "$index" ? loops : iteratorNamed(loops, token.split(/[.[]/, 1)[0] ?? "")

/** Whether an iteration reads what an earlier one has left behind. Iterations that run side by side have no earlier one. */
export const readsEarlierIterations = ({ execution }: ScopeLoop): boolean => execution !== "parallel"

export const leavesResult = ({ type }: { readonly type?: unknown }): boolean =>
  (traitsOf(type)?.result ?? "none") !== "none"

/** Names by what they mean, in the order of look-up: of those that are the same the first one counts. */
export function inLookUpOrder<N extends { readonly name: string }>(names: {
  readonly [K in MeaningKind]: readonly N[]
}): readonly N[] {
  const first = new Map<string, N>()
  for (const kind of lookUpOrder)
    for (const named of names[kind]) if (!first.has(named.name)) first.set(named.name, named)
  return [...first.values()]
}
