// Resolves the variables of a source in each of its environments.

import { toText } from "@callsheet/format"
import type { Collection, Variable } from "../model.ts"
import { fillText, type Text } from "../text.ts"
import { asciiSlug, environmentNames } from "./names.ts"
import { isDynamic } from "./render.ts"

export interface ScopeEnvironment {
  /** The name of its files. */
  readonly name: string
  /** The variables of the environment itself. */
  readonly own: ReadonlyMap<string, Variable>
}

/** The environment of a source without environments. */
const ONLY_ENVIRONMENT = "default"
const MAX_DEPTH = 20

export class Scope {
  readonly environments: readonly ScopeEnvironment[]
  /** The variables that every environment inherits. */
  readonly inherited: ReadonlyMap<string, Variable>
  /** The names of all variables, in the order of the source. */
  readonly names: readonly string[]

  constructor({ environments, variables }: Collection) {
    const unique = environmentNames()
    const named = environments.map(({ name, variables }) => ({
      name: unique.add(asciiSlug(name, "environment")),
      own: byName(variables),
    }))
    this.environments = named.length > 0 ? named : [{ name: ONLY_ENVIRONMENT, own: new Map() }]
    this.inherited = byName(variables)
    this.names = [
      ...new Set([this.inherited, ...named.map(({ own }) => own)].flatMap((own) => [...own.keys()])),
    ]
  }

  variable(name: string, environment: ScopeEnvironment): Variable | undefined {
    return environment.own.get(name) ?? this.inherited.get(name)
  }

  /** Returns every declaration of a variable. */
  declarations(name: string): readonly Variable[] {
    return [this.inherited, ...this.environments.map(({ own }) => own)].flatMap((own) => own.get(name) ?? [])
  }

  /** Fills in variables, and the variables in their values. Undefined if one has no value, or a dynamic one. */
  resolve(text: Text, environment: ScopeEnvironment, depth = 0): string | undefined {
    if (depth > MAX_DEPTH) return undefined
    return fillText(text, (name) => {
      if (isDynamic(name)) return undefined
      const value = this.variable(name, environment)?.value
      if (value === undefined) return undefined
      return typeof value === "string" ? this.resolve(value, environment, depth + 1) : toText(value)
    })
  }

  /** Returns the value of a text that is the same in every environment. */
  resolveEverywhere(text: Text): string | undefined {
    const [first, ...others] = this.environments.map((environment) => this.resolve(text, environment))
    return others.every((value) => value === first) ? first : undefined
  }
}

const byName = (variables: readonly Variable[]): ReadonlyMap<string, Variable> =>
  new Map(variables.map((variable) => [variable.name, variable]))
