// Types of JSON values. Integers that a double would round are `bigint`.

export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject
export type JsonArray = readonly JsonValue[]
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Returns whether a value is a JSON object and not null, an array or a scalar. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns whether a value is a JSON array. Unlike `Array.isArray`, it keeps the element type. */
export const isJsonArray = (value: unknown): value is JsonArray => Array.isArray(value)

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint"

/**
 * Returns the value of an own property: a key named "constructor" must not resolve to Object's. All other code reads and
 * sets properties by a name that isn't known when it is compiled only through these two functions, or uses a `Map`.
 */
export const ownOf = <T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string | number,
): T | undefined => (record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined) // own key

/** Returns the member of a value that may not be an object. */
export const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? ownOf(value, key) : undefined

// The functions below treat a member of another type as absent.

export function objectMember(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = member(value, key)
  return isJsonObject(found) ? found : undefined
}

export function textMember(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

export function listMember(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const found = member(value, key)
  return isJsonArray(found) ? found : []
}

/** Sets an own property. A plain assignment to `__proto__` would set the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value // own key
}

/** Returns the name of a value's type for messages: `"a string"`, `"null"`, `"an array"`. */
export function describeType(value: unknown): string {
  if (value === null) return "null"
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object") return "an object"
  return typeof value === "bigint" ? "a number" : `a ${typeof value}`
}
