// What a script may return: a boolean of a condition, a plain object of JSON values of a transform. All else is named.

import { types } from "node:util"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { ScriptKind } from "../../../ports.ts"

type CheckedResult =
  | { readonly ok: true; readonly result?: JsonValue }
  | {
      readonly ok: false
      /** What came back: words that follow "the script returned". */
      readonly returned: string
      /** Where in the result; at its root where it is empty. */
      readonly at: readonly (string | number)[]
      readonly wanted: string
    }

const maxResultDepth = 1000
/** Characters of all strings and keys, and eight for every value. */
const maxResultSize = 50 * 1024 * 1024

/** Reads the members of the result, getters included: whatever those throw goes through. */
export const checkResult = (kind: ScriptKind, returned: unknown): CheckedResult => checks[kind](returned)

const checks: { readonly [K in ScriptKind]: (returned: unknown) => CheckedResult } = {
  assert: () => ({ ok: true }),
  script: () => ({ ok: true }),
  condition: (returned) =>
    typeof returned === "boolean" ? { ok: true, result: returned } : wrongCondition(returned),
  transform: (returned) => checkOutputs(returned),
}

const wrongCondition = (returned: unknown): CheckedResult => ({
  ok: false,
  returned: nameValue(returned),
  at: [],
  wanted: "it must return true or false",
})

function checkOutputs(returned: unknown): CheckedResult {
  const isObject = typeof returned === "object" && returned !== null
  if (!isObject || Array.isArray(returned) || oddity(returned) !== undefined) {
    return { ok: false, returned: nameValue(returned), at: [], wanted: "it must return a plain object" }
  }
  try {
    return { ok: true, result: new Copier().copy(returned) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ok: false, returned: error.message, at: error.at, wanted: "outputs are JSON values" }
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

/** A container that is being copied, and how far. */
interface Open {
  readonly source: object
  readonly keys: readonly string[]
  readonly target: JsonValue[] | Record<string, JsonValue>
  readonly key: string | number
  next: number
}

class Copier {
  #size = 0
  readonly #open: Open[] = []
  /** The containers around the value that is looked at. */
  readonly #around = new Set<object>()

  copy(root: object): JsonObject {
    const result: Record<string, JsonValue> = {}
    this.#enter(root, result, "")
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const key = top.keys[top.next]
      if (key === undefined) this.#leave(top)
      else {
        top.next++
        this.#member(top, key)
      }
    }
    return result
  }

  #enter(source: object, target: Open["target"], key: string | number): void {
    const path = key === "" && this.#open.length === 0 ? [] : this.#path(key)
    if (this.#around.has(source)) throw new Refusal("a value that holds itself", path)
    if (this.#open.length >= maxResultDepth) {
      throw new Refusal(`a value that is nested deeper than ${maxResultDepth} levels`)
    }
    this.#around.add(source)
    this.#open.push({ source, keys: Object.keys(source), target, key, next: 0 })
  }

  #leave(top: Open): void {
    this.#open.pop()
    this.#around.delete(top.source)
  }

  #member(top: Open, key: string): void {
    const { target } = top
    const name = Array.isArray(target) ? target.length : key
    // A hole has no key, and an array may have keys that are no indices.
    if (String(name) !== key) throw new Refusal("an array with holes or with names", this.#path())
    const value: unknown = Reflect.get(top.source, key)
    if (value === undefined && !Array.isArray(target)) return
    this.#grow(key.length + 8)
    put(target, key, this.#value(value, name))
  }

  #value(value: unknown, key: string | number): JsonValue {
    switch (typeof value) {
      case "string":
        this.#grow(value.length)
        return value
      case "boolean":
        return value
      case "number":
        if (!Number.isFinite(value)) throw new Refusal(String(value), this.#path(key))
        return value === 0 ? 0 : value
      case "bigint":
        this.#grow(value.toString(16).length)
        return Number.isSafeInteger(Number(value)) ? Number(value) : value
      case "object":
        return value === null ? null : this.#container(value, key)
      default:
        throw new Refusal(nameValue(value), this.#path(key))
    }
  }

  #container(value: object, key: string | number): JsonValue {
    if (types.isDate(value) && Number.isFinite(Date.prototype.getTime.call(value))) {
      return Date.prototype.toISOString.call(value)
    }
    const odd = oddity(value)
    if (odd !== undefined) throw new Refusal(odd, this.#path(key))
    const target: Open["target"] = Array.isArray(value) ? [] : {}
    this.#enter(value, target, key)
    // It may also end in holes.
    if (Array.isArray(value) && Object.keys(value).length < value.length) {
      throw new Refusal("an array with holes or with names", this.#path())
    }
    return target
  }

  #grow(by: number): void {
    this.#size += by
    if (this.#size > maxResultSize) {
      throw new Refusal(`more than ${maxResultSize / 1024 / 1024} MiB`)
    }
  }

  #path(...last: Path): Path {
    return [...this.#open.slice(1).map((open) => open.key), ...last]
  }
}

function put(target: Open["target"], key: string, value: JsonValue): void {
  if (Array.isArray(target)) target.push(value)
  // A key named __proto__ is a key like any other.
  else Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true })
}

/** What an object is, where it is neither a plain one nor an array. */
function oddity(value: object): string | undefined {
  if (types.isDate(value)) return "an invalid Date"
  const prototype = Reflect.getPrototypeOf(value)
  if (Array.isArray(value)) return undefined
  // A plain object of another realm has a prototype without a prototype, and Object for a constructor.
  if (prototype === null || prototype === Object.prototype) return undefined
  const name = constructorName(prototype)
  if (name === undefined) return "an object with a prototype of its own"
  return name === "Object" && Reflect.getPrototypeOf(prototype) === null
    ? undefined
    : `an instance of ${name}`
}

function constructorName(prototype: object): string | undefined {
  const constructor = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : undefined
}

/** Words for any value; reads nothing that could throw. */
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
      return Array.isArray(value) ? "an array" : (safely(() => oddity(value)) ?? "an object")
    case "bigint":
      return "a big integer"
    default:
      return `a ${typeof value}`
  }
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
