// Replaces references to secrets in bound environments by the secrets. Loaded only if an environment has one.

import {
  hasErrors,
  hasReferences,
  toProblem,
  type Problem,
  type ResolvedEnvironment,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { ResolvedReference, UserPort } from "../ports.ts"
import type { BoundEntry } from "./plan-entries.ts"

/** The secrets that a session has resolved, or why it could not. Each reference is resolved only once. */
export type KnownReferences = Map<string, ResolvedReference>

interface Resolving {
  readonly user: UserPort
  readonly known: KnownReferences
  readonly signal: AbortSignal | undefined
}

/** Returns the entries with secrets instead of references. An entry with an error needs none. */
export async function resolveReferences(
  bound: readonly BoundEntry[],
  resolving: Resolving,
): Promise<readonly BoundEntry[]> {
  const sound = bound.filter((entry) => !hasErrors([...entry.problems, ...entry.valueProblems]))
  const environments = new Set(sound.flatMap((entry) => [...entry.environments.values()]))
  const resolved = await resolveEnvironments([...environments].filter(hasReferences), resolving)
  return bound.map((entry) => {
    const own = [...entry.environments].map(([api, one]) => ({
      api,
      ...(resolved.get(one) ?? { environment: one, problems: [] }),
    }))
    return {
      ...entry,
      environments: new Map(own.map(({ api, environment }) => [api, environment])),
      valueProblems: [...entry.valueProblems, ...own.flatMap(({ problems }) => problems)],
    }
  })
}

/** Resolves every reference in the environments. A variable that can't be resolved keeps its reference. */
export async function resolveEnvironments(
  environments: readonly ResolvedEnvironment[],
  { user, known, signal }: Resolving,
) {
  const wanted = new Map(
    environments
      .flatMap(referencesOf)
      .filter(({ key }) => !known.has(key))
      .map(({ key, reference }) => [key, reference]),
  )
  const values = await user.resolve([...wanted.values()], signal)
  for (const [index, key] of [...wanted.keys()].entries())
    known.set(key, values[index] ?? { reason: "no value" })
  const { shown } = await user.open()
  return new Map(environments.map((one) => [one, resolve(one, known, shown)]))
}

const referencesOf = ({ variables }: ResolvedEnvironment) =>
  [...variables.values()].flatMap(({ name, value, reference }) =>
    reference === undefined ? [] : [{ name, key: String(value), reference }],
  )

function resolve(environment: ResolvedEnvironment, known: KnownReferences, file: string) {
  const variables = new Map(environment.variables)
  const problems: Problem[] = []
  for (const { name, key, reference } of referencesOf(environment)) {
    const found = known.get(key) ?? { reason: "no value" }
    const variable = environment.variables.get(name)
    if (variable === undefined) continue
    if ("value" in found) {
      variables.set(name, {
        ...variable,
        value: found.value,
        reference: undefined,
        resolvedFrom: String(variable.value),
      })
      continue
    }
    const { api, name: own } = environment
    const { resolver } = reference
    const facts = { api, environment: own, variable: name, resolver, reason: found.reason, file }
    problems.push(toProblem(messages["secret-unresolved"].unresolved(facts), variable.file))
  }
  return { environment: { ...environment, variables }, problems }
}
