// Checks what clients send, and names every wrong field at once.

import { Problem, readBody, type Call } from "./http.ts"

type Report = (field: string, message: string) => undefined

/** Returns the checked value, or reports what is wrong with it. `field` is its path: `lines.0.sku`. */
export type Check<T> = (value: unknown, field: string, report: Report) => T | undefined

export type Checked<C> = C extends Check<infer T> ? T : never

/** Reads the body of a request. Answers 415, 400 or 422 if it is not as `check` wants it. */
export const body = async <T>(call: Call, check: Check<T>, accepted = ["application/json"]): Promise<T> =>
  all(check, await readBody(call, accepted), 422)

/** Reads the query of a request; the last of repeated parameters counts. Answers 400 if it is not as `check` wants it. */
export const query = <T>(call: Call, check: Check<T>): T => all(check, Object.fromEntries(call.query), 400)

function all<T>(check: Check<T>, value: unknown, status: number): T {
  const errors: { field: string; message: string }[] = []
  const result = check(value, "", (field, message) => void errors.push({ field, message }))
  if (errors.length === 0 && result !== undefined) return result
  throw new Problem(status, `wrong fields: ${errors.length}`, { errors })
}

/** Accepts what `read` returns something for. */
export const that =
  <T>(description: string, read: (value: unknown) => T | undefined): Check<T> =>
  (value, field, report) =>
    read(value) ?? report(field, value === undefined ? "is missing" : `must be ${description}`)

export const text = ({ max = 200, pattern = /./ } = {}): Check<string> =>
  that(`1 to ${max} characters that match ${pattern.source}`, (value) =>
    typeof value === "string" && value.length <= max && pattern.test(value) ? value : undefined,
  )

export const oneOf = <T>(...allowed: readonly T[]): Check<T> =>
  that(`one of ${allowed.join(", ")}`, (value) => allowed.find((known) => known === value))

export const integer = (min: number, max: number): Check<number> =>
  that(`a whole number from ${min} to ${max}`, (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
  )

/** A whole number in a query. */
export const digits = (min: number, max: number): Check<number> =>
  that(`a whole number from ${min} to ${max}`, (value) => {
    const number = /^[0-9]{1,9}$/.test(String(value)) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : undefined
  })

export const optional =
  <T, F>(check: Check<T>, fallback: F): Check<T | F> =>
  (value, field, report) =>
    value === undefined ? fallback : check(value, field, report)

export const nullable = <T>(check: Check<T>): Check<T | null> =>
  optional((value, field, report) => (value === null ? null : check(value, field, report)), null)

export const list =
  <T>(check: Check<T>, max: number): Check<readonly T[]> =>
  (value, field, report) => {
    const isRight = Array.isArray(value) && value.length > 0 && value.length <= max
    if (!isRight) return report(field, `must be an array of 1 to ${max} items`)
    return value.flatMap((item, index) => check(item, `${field}.${index}`, report) ?? [])
  }

/** An object with these fields and no others. */
export const object =
  <T extends object>(fields: { readonly [K in keyof T]: Check<T[K]> }): Check<T> =>
  (value, field, report) => {
    if (!isObject(value)) return report(field, "must be an object")
    const at = (name: string): string => (field === "" ? name : `${field}.${name}`)
    const result = Object.entries<Check<unknown>>(fields).map(([name, check]) => [
      name,
      check(value[name], at(name), report),
    ])
    for (const name of Object.keys(value)) if (!Object.hasOwn(fields, name)) report(at(name), "is not known")
    return Object.fromEntries(result) as T
  }

/** The object that a JSON merge patch (RFC 7396) makes of `target`: absent fields stay, null removes. */
export const patchOf =
  <T>(target: object, check: Check<T>): Check<T> =>
  (patch, field, report) =>
    check(merge(target, patch), field, report)

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch ?? undefined
  const merged = { ...(isObject(target) ? target : {}) }
  for (const [name, value] of Object.entries(patch)) merged[name] = merge(merged[name], value)
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
