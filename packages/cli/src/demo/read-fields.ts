// Request bodies and queries of the sample API -> checked values: every wrong field is named, all at once.

import { HttpProblem, type FieldError } from "./answer.ts"
import { parseMultipart, type Part } from "./multipart.ts"
import type { Call } from "./service.ts"

/** The media type of a request without its parameters, in lower case; empty where it names none. */
export const mediaTypeOf = (call: Call): string =>
  (call.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()

function requireMediaType(call: Call, ...accepted: readonly string[]): void {
  if (accepted.includes(mediaTypeOf(call))) return
  throw new HttpProblem(415, `send ${accepted.join(" or ")}`)
}

/** The JSON object that a request carries. Answers 415, 400 or 422 where it carries none. */
export function readJsonFields(call: Call, ...mediaTypes: readonly string[]): Fields {
  requireMediaType(call, "application/json", ...mediaTypes)
  return new Fields(asObject(parseBody(call)))
}

function parseBody(call: Call): unknown {
  try {
    return JSON.parse(call.body.toString("utf8"))
  } catch {
    throw new HttpProblem(400, "the body is not JSON")
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw new HttpProblem(422, "the body must be a JSON object")
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The fields of a URL-encoded form; of a name that is repeated the last one counts. */
export function readFormFields(call: Call): Fields {
  requireMediaType(call, "application/x-www-form-urlencoded")
  return new Fields(Object.fromEntries(new URLSearchParams(call.body.toString("utf8"))))
}

/** The parts of a multipart form by name. */
export function readParts(call: Call): ReadonlyMap<string, Part> {
  requireMediaType(call, "multipart/form-data")
  const parts = parseMultipart(call.headers["content-type"] ?? "", call.body)
  if (parts === undefined) throw new HttpProblem(400, "the body is no multipart form")
  return new Map(parts.map((part) => [part.name, part]))
}

/** The plain text that a request carries. */
export function readText(call: Call): string {
  requireMediaType(call, "text/plain")
  return call.body.toString("utf8")
}

/** The bytes that a request carries as one of the media types. */
export function readBytes(call: Call, ...mediaTypes: readonly string[]): Buffer {
  requireMediaType(call, ...mediaTypes)
  return call.body
}

/** The query parameters; of a name that is repeated the last one counts. */
export const readQueryFields = (call: Call): Fields => new Fields(Object.fromEntries(call.query))

interface TextRule {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly oneOf?: readonly string[]
}

interface NumberRule {
  readonly min: number
  readonly max: number
}

/** Reads the fields of one object, collects what is wrong, and refuses it as a whole with `done`. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #path: string
  readonly #errors: FieldError[]
  readonly #read = new Set<string>()

  constructor(values: Readonly<Record<string, unknown>>, path = "", errors: FieldError[] = []) {
    this.#values = values
    this.#path = path
    this.#errors = errors
  }

  has(name: string): boolean {
    this.#read.add(name)
    return Object.hasOwn(this.#values, name) && this.#values[name] !== undefined
  }

  text(name: string, rule: TextRule = {}): string {
    const value = this.#take(name)
    if (value === undefined) return ""
    if (typeof value !== "string") return this.#wrong(name, "must be a string", "")
    const objection = objectToText(value, rule)
    return objection === undefined ? value : this.#wrong(name, objection, "")
  }

  optionalText(name: string, rule: TextRule = {}): string | undefined {
    return this.has(name) ? this.text(name, rule) : undefined
  }

  /** A string, or null where the field is null or absent. */
  nullableText(name: string, rule: TextRule = {}): string | null {
    return !this.has(name) || this.#values[name] === null ? null : this.text(name, rule)
  }

  integer(name: string, { min, max }: NumberRule): number {
    const value = this.#take(name)
    if (value === undefined) return min
    if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
      return this.#wrong(name, `must be a whole number from ${min} to ${max}`, min)
    }
    return value
  }

  /** A whole number written as text, as queries have them. */
  integerText(name: string, rule: NumberRule & { readonly fallback: number }): number {
    if (!this.has(name)) return rule.fallback
    const value = this.#values[name]
    const number = typeof value === "string" && /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= rule.min && number <= rule.max) return number
    return this.#wrong(name, `must be a whole number from ${rule.min} to ${rule.max}`, rule.fallback)
  }

  boolean(name: string, fallback: boolean): boolean {
    if (!this.has(name)) return fallback
    const value = this.#values[name]
    return typeof value === "boolean" ? value : this.#wrong(name, "must be true or false", fallback)
  }

  object(name: string): Fields {
    const value = this.#take(name)
    const path = this.#pathOf(name)
    if (value !== undefined && !isObject(value)) this.#wrong(name, "must be an object", undefined)
    // The errors of an object that is not there would only repeat that it is not there.
    return isObject(value) ? new Fields(value, path, this.#errors) : new Fields({}, path)
  }

  list<T>(name: string, bounds: NumberRule, read: (item: Fields) => T): readonly T[] {
    const value = this.#take(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) return this.#wrong(name, "must be an array", [])
    const items: readonly unknown[] = value
    if (items.length < bounds.min || items.length > bounds.max) {
      return this.#wrong(name, `must hold ${bounds.min} to ${bounds.max} items`, [])
    }
    return items.map((item, index) => {
      const path = `${this.#pathOf(name)}.${index}`
      if (!isObject(item)) this.#errors.push({ field: path, message: "must be an object" })
      const fields = isObject(item) ? new Fields(item, path, this.#errors) : new Fields({}, path)
      const result = read(fields)
      fields.end()
      return result
    })
  }

  /** Adds an objection that only the caller can know. */
  reject(name: string, message: string): void {
    this.#wrong(name, message, undefined)
  }

  /** Objects to every field that nobody asked for. */
  end(): void {
    for (const name of Object.keys(this.#values)) {
      if (!this.#read.has(name)) this.#wrong(name, "is not known", undefined)
    }
  }

  /** Ends the request with 422 (or `status`) and every wrong field, if there are any. */
  done(status = 422): void {
    this.end()
    if (this.#errors.length === 0) return
    const count = this.#errors.length
    throw new HttpProblem(status, count === 1 ? "a field is wrong" : `${count} fields are wrong`, {
      errors: this.#errors,
    })
  }

  #take(name: string): unknown {
    if (this.has(name)) return this.#values[name]
    this.#errors.push({ field: this.#pathOf(name), message: "is missing" })
    return undefined
  }

  #wrong<T>(name: string, message: string, fallback: T): T {
    this.#errors.push({ field: this.#pathOf(name), message })
    return fallback
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`
  }
}

function objectToText(value: string, { min = 1, max = 200, pattern, oneOf }: TextRule): string | undefined {
  if (oneOf !== undefined) return oneOf.includes(value) ? undefined : `must be one of ${oneOf.join(", ")}`
  if (value.length < min || value.length > max) return `must have ${min} to ${max} characters`
  return pattern === undefined || pattern.test(value) ? undefined : `must match ${pattern.source}`
}
