// Resolves the variables of a source in each of its environments.

import { getOrCreate, toText, type Level } from "@callsheet/format"
import type { Collection, Variable } from "../model.ts"
import { fillText, type Text } from "../text.ts"
import { environmentNames, isDynamic } from "./names.ts"
import type { Secrets } from "./secrets.ts"

export interface ScopeEnvironment {
  /** The name of its files. */
  readonly name: string
  readonly level?: Level | undefined
  /** The variables of the environment itself. */
  readonly own: ReadonlyMap<string, Variable>
}

/** The environment of a source without environments. */
const ONLY_ENVIRONMENT = "default"
const MAX_DEPTH = 200
/** The maximum length of what variables add to all texts. Variables that repeat each other could add any length. */
const MAX_ADDED = 64 * 1024 * 1024
/** The maximum length of what variables add to one text. */
const MAX_ADDED_TO_TEXT = 256 * 1024

interface Resolving {
  readonly environment: ScopeEnvironment
  /** The values of variables. Undefined while one is being resolved. */
  readonly known: Map<string, string | undefined>
  readonly depth: number
}

export class Scope {
  readonly environments: readonly ScopeEnvironment[]
  /** The variables that every environment inherits. */
  readonly inherited: ReadonlyMap<string, Variable>
  /** The names of all variables, in the order of the source. */
  readonly names: readonly string[]
  #added = 0
  readonly #secrets: Secrets
  readonly #resolved = new Map<ScopeEnvironment, Map<string, string | undefined>>()

  constructor({ environments, variables, root }: Collection, secrets: Secrets) {
    this.#secrets = secrets
    const unique = environmentNames()
    const place = { where: root.where, what: "name of an environment" }
    const named = environments.map(({ name, level, variables }) => ({
      level,
      name: unique.add(secrets.slug(name, "environment", place)),
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

  declarations(name: string): readonly Variable[] {
    return [this.inherited, ...this.environments.map(({ own }) => own)].flatMap((own) => own.get(name) ?? [])
  }

  /** Fills in variables, and the variables in their values. Undefined if one has no value, or a dynamic one. */
  resolve(text: Text, environment: ScopeEnvironment, depth = 0): string | undefined {
    const known = getOrCreate(this.#resolved, environment, () => new Map<string, string | undefined>())
    let added = 0
    return fillText(text, (name) => {
      const value = this.#valueOf(name, { environment, known, depth })
      added += value?.length ?? 0
      this.#added += value?.length ?? 0
      return added > MAX_ADDED_TO_TEXT || this.#added > MAX_ADDED ? undefined : value
    })
  }

  /** Resolves each variable once. A variable that contains itself has no value. */
  #valueOf(name: string, { environment, known, depth }: Resolving): string | undefined {
    if (known.has(name) || depth > MAX_DEPTH) return known.get(name)
    known.set(name, this.#secrets.marked(name)?.value)
    if (known.get(name) !== undefined) return known.get(name)
    const value = isDynamic(name) ? undefined : this.variable(name, environment)?.value
    const resolved =
      typeof value === "string"
        ? this.resolve(value, environment, depth + 1)
        : value === undefined
          ? undefined
          : toText(value)
    known.set(name, resolved)
    return resolved
  }

  /** Returns the value of a text that is the same in every environment. */
  resolveEverywhere(text: Text): string | undefined {
    const [first, ...others] = this.environments.map((environment) => this.resolve(text, environment))
    return others.every((value) => value === first) ? first : undefined
  }
}

const byName = (variables: readonly Variable[]): ReadonlyMap<string, Variable> =>
  new Map(variables.map((variable) => [variable.name, variable]))
