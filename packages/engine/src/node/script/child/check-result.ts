// Checks the return value of a script: a boolean for a condition, or a plain object of JSON values for a transform.

import { types } from "node:util"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { ScriptKind } from "../../../ports.ts"

type CheckedResult =
  | {
      readonly ok: true
      readonly result?: JsonValue
      /** The returned value as messages describe it, if nothing reads it although its author may expect that. */
      readonly ignored?: { readonly kind: "assert" | "script"; readonly returned: string }
    }
  | {
      readonly ok: false
      /** The returned value as messages describe it. */
      readonly returned: string
      /** The path to the invalid value. Empty for the result itself. */
      readonly at: readonly (string | number)[]
      readonly expected: "true or false" | "a plain object" | "JSON values"
    }

const maxResultDepth = 1000
/** The maximum size of a result: the characters of all strings and keys, plus eight for each value. */
const maxResultSize = 50 * 1024 * 1024

/** Checks and copies the result. Reads all members, including getters, and rethrows what they throw. */
export const checkResult = (kind: ScriptKind, returned: unknown): CheckedResult => checks[kind](returned)

const checks: { readonly [K in ScriptKind]: (returned: unknown) => CheckedResult } = {
  assert: (returned) => ignoring("assert", returned, isVerdict(returned) || isData(returned)),
  script: (returned) => ignoring("script", returned, isVerdict(returned)),
  condition: (returned) =>
    typeof returned === "boolean" ? { ok: true, result: returned } : wrong(returned, "true or false"),
  transform: checkOutputs,
}

const ignoring = (kind: "assert" | "script", returned: unknown, isLost: boolean): CheckedResult =>
  isLost ? { ok: true, ignored: { kind, returned: nameValue(returned) } } : { ok: true }

/** Returns whether a value says that something is right or wrong, or is code that has not run. */
const isVerdict = (value: unknown): boolean =>
  typeof value === "boolean" ||
  typeof value === "function" ||
  types.isNativeError(value) ||
  types.isGeneratorObject(value)

/**
 * Returns whether a value may be a result of its own. An instance of a class is usually the rest of an expression, such
 * as the object of an assertion library or a `Response`.
 */
const isData = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  (typeof value !== "object" || Array.isArray(value) || oddity(value) === undefined)

const wrong = (returned: unknown, expected: "true or false" | "a plain object"): CheckedResult => ({
  ok: false,
  returned: nameValue(returned),
  at: [],
  expected,
})

function checkOutputs(returned: unknown): CheckedResult {
  const isObject = typeof returned === "object" && returned !== null
  if (!isObject || Array.isArray(returned) || oddity(returned) !== undefined)
    return wrong(returned, "a plain object")
  try {
    return { ok: true, result: new Copier().copy(returned) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ok: false, returned: error.message, at: error.at, expected: "JSON values" }
  }
}

type Path = readonly (string | number)[]

class Refusal extends Error {
  readonly at: Path
  constructor(returned: string, at: Path = []) {
    super(returned)
    this.at = at
  }
}

class Copier {
  #size = 0
  /** The containers around the current value. Their number is limited, so recursion is safe. */
  readonly #around = new Set<object>()
  readonly #path: (string | number)[] = []

  copy(source: object): JsonObject | JsonValue[] {
    if (this.#around.has(source)) throw this.#refusal("a value that contains itself")
    if (this.#around.size >= maxResultDepth) {
      throw new Refusal(`a value nested deeper than ${maxResultDepth} levels`)
    }
    const keys = Object.keys(source)
    // If an array ends in holes, it has fewer keys than its length.
    if (Array.isArray(source) && keys.length < source.length) throw this.#refusal(notAList)
    const target: JsonValue[] | Record<string, JsonValue> = Array.isArray(source) ? [] : {}
    this.#around.add(source)
    for (const key of keys) this.#member(source, target, key)
    this.#around.delete(source)
    return target
  }

  #member(source: object, target: JsonValue[] | Record<string, JsonValue>, key: string): void {
    const name = Array.isArray(target) ? target.length : key
    // A hole has no key, and an array may have other keys than indexes.
    if (String(name) !== key) throw this.#refusal(notAList)
    const value: unknown = Reflect.get(source, key)
    if (value === undefined && !Array.isArray(target)) return
    this.#grow(key.length + 8)
    this.#path.push(name)
    const copied = this.#value(value)
    this.#path.pop()
    if (Array.isArray(target)) target.push(copied)
    // A plain assignment to `__proto__` would set the prototype.
    else
      Object.defineProperty(target, key, {
        value: copied,
        configurable: true,
        enumerable: true,
        writable: true,
      })
  }

  #value(value: unknown): JsonValue {
    switch (typeof value) {
      case "string":
        this.#grow(value.length)
        return value
      case "boolean":
        return value
      case "number":
        if (!Number.isFinite(value)) throw this.#refusal(String(value))
        return value === 0 ? 0 : value
      case "bigint":
        this.#grow(value.toString(16).length)
        return Number.isSafeInteger(Number(value)) ? Number(value) : value
      case "object":
        return value === null ? null : this.#object(value)
      default:
        throw this.#refusal(nameValue(value))
    }
  }

  #object(value: object): JsonValue {
    if (types.isDate(value) && Number.isFinite(Date.prototype.getTime.call(value))) {
      return Date.prototype.toISOString.call(value)
    }
    const odd = oddity(value)
    if (odd !== undefined) throw this.#refusal(odd)
    return this.copy(value)
  }

  #grow(by: number): void {
    this.#size += by
    if (this.#size > maxResultSize) {
      throw new Refusal(`a value larger than ${maxResultSize / 1024 / 1024} MiB`)
    }
  }

  #refusal(returned: string): Refusal {
    return new Refusal(returned, [...this.#path])
  }
}

const notAList = "an array with holes or extra properties"

/** Describes an object that is neither a plain object nor an array. Undefined for the others. */
function oddity(value: object): string | undefined {
  if (types.isDate(value)) return "an invalid Date"
  if (types.isPromise(value)) return "a promise"
  const prototype = Reflect.getPrototypeOf(value)
  if (Array.isArray(value)) return undefined
  // A plain object of another realm has a different prototype, whose own prototype is null and whose constructor is
  // Object.
  if (prototype === null || prototype === Object.prototype) return undefined
  const name = constructorName(prototype)
  if (name === undefined) return "an object with its own prototype"
  return name === "Object" && Reflect.getPrototypeOf(prototype) === null
    ? undefined
    : `an instance of ${name}`
}

function constructorName(prototype: object): string | undefined {
  const constructor = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : undefined
}

/** Describes any value without reading anything that could throw. */
export function nameValue(value: unknown): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  switch (typeof value) {
    case "string":
      return value.length > 60
        ? `a string of ${value.length} characters`
        : `the string ${JSON.stringify(value)}`
    case "number":
      return Number.isFinite(value) ? `the number ${value}` : String(value)
    case "boolean":
      return String(value)
    case "object":
      if (types.isGeneratorObject(value)) return "a generator, whose body has not run"
      return Array.isArray(value) ? "an array" : (safely(() => oddity(value)) ?? "an object")
    case "bigint":
      return "a big integer"
    default:
      return `a ${typeof value}`
  }
}

export function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
