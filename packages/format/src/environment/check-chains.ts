// Checks the chain of an environment and its parents: missing parents, cycles, names like production.

import { messages } from "../messages.ts"
import type { Finding, Problem } from "../problems.ts"
import { suggest } from "../text/did-you-mean.ts"
import type { Environment } from "./types.ts"

/** Returns the environment and its parents, nearest first. Ends before a missing or repeated parent. */
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

export interface CheckedEnvironment {
  readonly environment: Environment
  /** True if its value file has errors: a missing value may then be one that could not be read. */
  readonly isBroken: boolean
  readonly problems: readonly Problem[]
  /** Makes the problem for a finding at a key of the value file. Absent if the file cannot be read. */
  readonly problemAt?: (key: string, finding: Finding) => Problem
}

/** Checks the `extends` of all environments. A cycle is reported once, at its first environment. */
export function checkChains(checked: ReadonlyMap<string, CheckedEnvironment>): readonly Problem[] {
  const problems: Problem[] = []
  const environments = new Map([...checked].map(([name, { environment }]) => [name, environment]))
  const report = (name: string, key: string, finding: Finding) => {
    const problem = checked.get(name)?.problemAt?.(key, finding)
    if (problem !== undefined) problems.push(problem)
  }
  for (const { name, extends: parent } of environments.values()) {
    if (parent === undefined || environments.has(parent)) continue
    report(name, "extends", missingParent(parent, environments.keys()))
  }
  for (const circle of circlesOf(environments)) {
    const [first] = circle
    const { self, cycle } = messages["extends-cycle"]
    report(first, "extends", circle.length === 1 ? self(first) : cycle([...circle, first]))
  }
  for (const { name } of environments.values()) {
    if (!name.toLowerCase().includes("prod")) continue
    const chain = extendsChain(environments, name)
    if (chain.some((link) => link.level !== undefined || checked.get(link.name)?.isBroken)) continue
    report(name, "level", messages["level-unset"].production(name))
  }
  return problems
}

function missingParent(parent: string, known: Iterable<string>): Finding {
  const names = [...known]
  const withoutEnding = parent.replace(/\.json$/, "")
  const suggestion = names.includes(withoutEnding)
    ? `did you mean "${withoutEnding}"?`
    : suggest(parent, names)
  return messages["extends-missing"].unknown(parent, suggestion)
}

/** Yields every cycle once, following `extends`, starting with the environment that is first in the map. */
function* circlesOf(
  environments: ReadonlyMap<string, Environment>,
): Generator<readonly [string, ...string[]]> {
  const inCircles = new Set<string>()
  for (const first of environments.keys()) {
    const chain = extendsChain(environments, first)
    if (chain.at(-1)?.extends !== first || inCircles.has(first)) continue
    const others = chain.slice(1).map(({ name }) => name)
    for (const name of others) inCircles.add(name)
    yield [first, ...others]
  }
}
