// Names that every object seems to have, such as `constructor`: whether a value has one itself takes a closer look.

import type { PlainSchema } from "./plain-schema.ts"

/** Whether a schema holds such a name anywhere, as far as it can be read without following references. */
export function holdsInheritedName(schema: PlainSchema): boolean {
  const parts = new Set<unknown>([schema])
  // A set that grows while it is walked is walked to its end.
  for (const part of parts) {
    if (typeof part === "string" && isInherited(part)) return true
    if (typeof part !== "object" || part === null) continue
    for (const [key, value] of Object.entries(part)) {
      if (isInherited(key)) return true
      parts.add(value)
    }
  }
  return false
}

const isInherited = (name: string): boolean => name in Object.prototype
