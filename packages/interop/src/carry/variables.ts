// Declares the variables of an import, with their types, secrets and values.

import { toText, type Scalar, type ScalarType, isSecretName, type UniqueNames } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Loss, Variable } from "../model.ts"
import { hasVariables, type Text } from "../text.ts"
import { camelCase, firstWords, isForeignName, variableNames } from "./names.ts"
import type { SchemeVariable } from "./schemes.ts"
import type { Scope, ScopeEnvironment } from "./scope.ts"
import { isOwnName, secretCause, type SecretCause } from "./secret-values.ts"
import type { FoundSecret, SecretValue, Place, Secrets } from "./secrets.ts"

export const BASE_URL = "baseUrl"

export interface Declared {
  readonly name: string
  readonly type: ScalarType
  /** Why the variable is a secret. Undefined if it is none. */
  readonly cause: SecretCause | undefined
  readonly description?: string | undefined
  readonly default?: Scalar | undefined
  /** The value by environment. */
  readonly values: ReadonlyMap<string, Scalar>
}

/** The uses of the source's variables in requests. */
export interface VariableUses {
  /** Variables that stand for JSON values, so that their type matters. */
  readonly unquoted: ReadonlySet<string>
  /** Variables that are whole JSON strings. */
  readonly quoted: ReadonlySet<string>
  readonly credentials: ReadonlySet<string>
  /** The names of all variables in requests, in lowercase, which no other variable gets. */
  readonly names: ReadonlySet<string>
}

interface ComputedSecret {
  readonly hint: string
  readonly request?: string | undefined
  /** Identifies the secret. */
  readonly key: string
  readonly cause: SecretCause
  readonly valueIn: (environment: ScopeEnvironment) => string | undefined
}

interface VariablesRequest {
  readonly scope: Scope
  readonly uses: VariableUses
  readonly secrets: Secrets
  /** The place of the collection. */
  readonly where: string
  readonly schemes: readonly SchemeVariable[]
}

export class Variables {
  readonly losses: Loss[] = []
  readonly #scope: Scope
  readonly #secrets: Secrets
  readonly #where: string
  readonly #uses: VariableUses
  readonly #names: UniqueNames
  readonly #bySource = new Map<string, string>()
  readonly #declared = new Map<string, Declared>()
  readonly #made = new Map<string, string>()
  readonly #holders: SecretValue[] = []
  readonly #repeaters: SecretValue[] = []

  constructor({ scope, uses, secrets, where, schemes }: VariablesRequest) {
    this.#scope = scope
    this.#uses = uses
    this.#secrets = secrets
    this.#where = where
    this.#names = variableNames()
    // Only base URLs have this name.
    this.#names.add(BASE_URL)
    for (const { name, text, source } of schemes)
      if (source !== undefined) this.#add(source, name)
      else
        this.computed({
          hint: name,
          key: text,
          cause: "credential",
          valueIn: (environment) => scope.resolve(text, environment),
        })
    for (const name of scope.names) this.nameOf(name)
  }

  get names(): readonly string[] {
    return [...this.#declared.keys()]
  }

  /** Returns the name of a variable of the source. Declares one that the source doesn't define. */
  nameOf(source: string): string {
    const known = this.#bySource.get(source)
    const place = { where: this.#where, what: "name of a variable" }
    return known ?? this.#add(source, this.#secrets.variableName(source, place))
  }

  #add(source: string, wanted: string): string {
    const name = this.#names.add(wanted)
    if (isForeignName(source))
      this.losses.push({
        where: this.#where,
        what: `variable ${source}`,
        reason: reasons.variableName(name),
      })
    this.#bySource.set(source, name)
    this.#declared.set(name, this.#declare(source, name))
    return name
  }

  /** Returns a variable for a secret that the source writes literally. The same secret has one variable. */
  secret({ value, ...found }: FoundSecret): string {
    return this.computed({ ...found, key: value, valueIn: () => value })
  }

  /** Returns a secret variable whose value depends on the environment. */
  computed({ hint, request, key, cause, valueIn }: ComputedSecret): string {
    const id = `${hint}\0${key}`
    const known = this.#made.get(id)
    if (known !== undefined) return known
    const name = this.#names.add(this.#freeName(hint, request))
    const values = new Map<string, Scalar>()
    for (const environment of this.#scope.environments) {
      const value = valueIn(environment)
      if (value !== undefined) values.set(environment.name, value)
    }
    const holders = [...values.values()].map(
      (value) => ({ is: "found", hint, request, value: toText(value), cause }) as const,
    )
    this.#holders.push(...holders.map((holder) => ({ value: holder.value, holder })))
    this.#declared.set(name, { name, type: "string", cause, values })
    this.#made.set(id, name)
    return name
  }

  /** Returns the name for a secret. If another one has it, the name begins with the request: `createUserPassword`. */
  #freeName(hint: string, request: string | undefined): string {
    const name = this.#secrets.variableName(hint)
    const isFree = this.#names.isFree(name) && !this.#uses.names.has(name.toLowerCase())
    if (request === undefined || isFree) return name
    const first = firstWords(request)
    const longer = camelCase(
      first.toLowerCase().endsWith(` ${hint.toLowerCase()}`) ? first : `${first} ${hint}`,
    )
    return this.#secrets.has(longer) ? name : longer
  }

  declared(name: string): Declared | undefined {
    return this.#declared.get(name)
  }

  typeOf(source: string): ScalarType | undefined {
    return this.#declared.get(this.nameOf(source))?.type
  }

  /** Returns the type of an input that stands for a variable. A text is coerced to it. */
  typeOfInput(source: string): ScalarType {
    const { unquoted, quoted } = this.#uses
    return unquoted.has(source) && !quoted.has(source) ? "number" : "string"
  }

  /** A secret is written as its own variable, and only without one as a variable that repeats it. */
  get known(): readonly SecretValue[] {
    return [...this.#holders, ...this.#repeaters]
  }

  #declare(source: string, name: string): Declared {
    const scope = this.#scope
    const declarations = scope.declarations(source)
    const texts = new Map<ScopeEnvironment, string>()
    for (const environment of scope.environments) {
      const value = this.#valueIn(source, environment)
      if (value !== undefined) texts.set(environment, value)
    }
    const written = declarations.flatMap(({ value }) => (value === undefined ? [] : toText(value)))
    const cause = this.#causeOf(source, [...texts.values(), ...written], this.#placeOf(name))
    const isSecret = cause !== undefined
    if (isSecret)
      for (const value of texts.values())
        (cause === "content" ? this.#repeaters : this.#holders).push({
          value,
          holder: { is: "source", name: source },
        })
    const type = isSecret ? "string" : this.#typeOf(source, declarations)
    const described = declarations.find((one) => one.description !== undefined)?.description
    const description = described && this.#secrets.prose(described, this.#placeOf(name))
    const values = new Map([...texts].map(([{ name: key }, value]) => [key, coerce(value, type)] as const))
    const own = new Set([...texts.keys()].flatMap((one) => (one.own.has(source) ? one.name : [])))
    const declared = { name, type, cause, description, values }
    const [first] = values.values()
    const isShared =
      values.size === scope.environments.length && [...values.values()].every((one) => one === first)
    const inherits =
      scope.inherited.has(source) && !hasVariables(String(scope.inherited.get(source)?.value ?? ""))
    if (isSecret || first === undefined || !(inherits || (scope.inherited.has(source) && isShared)))
      return declared
    const shared = scope.inherited.get(source)?.value
    const fallback = inherits && shared !== undefined ? coerce(toText(shared), type) : first
    // An environment that only inherits the value doesn't repeat it.
    for (const environment of scope.environments)
      if (!own.has(environment.name)) values.delete(environment.name)
    return { ...declared, default: fallback }
  }

  /** Returns why a variable is a secret. One without a value gets it from its name. */
  #causeOf(source: string, values: readonly string[], place: Place): SecretCause | undefined {
    if (this.#scope.declarations(source).some((one) => one.isSecret === true)) return "marked"
    if (this.#uses.credentials.has(source)) return "credential"
    const given = values.filter((value) => value !== "")
    if (given.length > 0 && given.every((value) => isOwnName(source, value))) return undefined
    const [own] = given.flatMap((value) => secretCause(source, value, "credential") ?? [])
    if (isSecretName(source) && (own !== undefined || given.length === 0)) return own ?? "name"
    return this.#secrets.holds(values, place) ? "content" : own
  }

  #placeOf = (name: string): Place => ({ where: this.#where, what: `variable ${name}` })

  #valueIn(source: string, environment: ScopeEnvironment): string | undefined {
    const value = this.#scope.variable(source, environment)?.value
    if (value === undefined) return undefined
    const text: Text = typeof value === "string" ? value : toText(value)
    const resolved = this.#scope.resolve(text, environment)
    if (resolved === undefined)
      this.losses.push({
        where: `${this.#where}: ${environment.name}`,
        what: `variable ${source}`,
        reason: reasons.variableChain(),
      })
    return resolved
  }

  #typeOf(source: string, declarations: readonly Variable[]): ScalarType {
    const values = declarations.flatMap(({ value }) => value ?? [])
    const { quoted } = this.#uses
    if (values.length === 0) return this.typeOfInput(source)
    const isDeclared = values.some((value) => typeof value !== "string")
    if (quoted.has(source) && !isDeclared) return "string"
    if (values.every((value) => /^(?:true|false)$/.test(toText(value)))) return "boolean"
    return values.every((value) => isNumberText(toText(value))) ? "number" : "string"
  }
}

/** Returns whether a number has exactly this text, unlike `007` or `1.10`. */
const isNumberText = (text: string): boolean => /\d/.test(text) && String(Number(text)) === text

function coerce(text: string, type: ScalarType): Scalar {
  if (type === "string") return text
  return type === "number" ? Number(text) : text === "true"
}
