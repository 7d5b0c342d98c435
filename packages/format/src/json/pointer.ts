// The path to a value inside another: keys and indices from the root.

import { ownOf, type JsonValue } from "./value.ts"

export type JsonPointer = readonly (string | number)[]

/** A pointer as a linked list, converted on demand. For 10,000 nested groups, arrays would take quadratic memory. */
export interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
}

/** Converts a linked list to a pointer. `base` is the pointer that the list is relative to. */
export function pointerTo(place: Place | undefined, base: JsonPointer = []): JsonPointer {
  const steps: (string | number)[] = []
  for (let here = place; here !== undefined; here = here.parent) steps.push(here.key)
  steps.reverse()
  return base.length === 0 ? steps : [...base, ...steps]
}

export function valueAt(value: JsonValue | undefined, pointer: JsonPointer): JsonValue | undefined {
  let here = value
  for (const step of pointer) {
    if (typeof here !== "object" || here === null) return undefined
    here = ownOf(here as Readonly<Record<string | number, JsonValue>>, step)
  }
  return here
}

export const startsWith = (pointer: JsonPointer, start: JsonPointer): boolean =>
  start.length <= pointer.length && start.every((step, at) => pointer[at] === step)
