// Own properties of objects whose keys come from outside.

import type { JsonValue } from "./value.ts"

/** Sets an own property whatever its name; an assignment to `__proto__` would set the prototype. */
export function setOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}
