// The way from an environment up its parents.

import type { Environment } from "./types.ts"

/** The environment and its parents, nearest first. Ends before a parent that is missing, or that was there already. */
export function extendsChain(
  environments: ReadonlyMap<string, Environment>,
  name: string,
): readonly Environment[] {
  const chain = new Set<Environment>()
  let next: string | undefined = name
  while (next !== undefined) {
    const environment = environments.get(next)
    if (environment === undefined || chain.has(environment)) break
    chain.add(environment)
    next = environment.extends
  }
  return [...chain]
}
