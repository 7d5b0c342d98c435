// Decides which names of saved requests are valid and free. Pure.

import { checkFreeName } from "@callsheet/format"
import type { SavedRequestView } from "@callsheet/server/calls"

export interface RequestName {
  readonly resource: string
  readonly request: string
}

/** Returns why the name is invalid. Undefined if it is valid. */
export function checkRequestName(
  { resource, request }: RequestName,
  taken: readonly SavedRequestView[],
): string | undefined {
  for (const [word, name] of [
    ["resource", resource],
    ["name", request],
  ] as const) {
    if (name === "") return `Enter a ${word}.`
    if (/[/\\]/.test(name)) return `The ${word} must not contain "/" or "\\".`
    const finding = checkFreeName(name)
    if (finding !== undefined) return `The ${word} is invalid: ${finding}.`
  }
  const isTaken = taken.some((one) => one.resource === resource && one.name === request)
  return isTaken ? "A saved request with this name already exists." : undefined
}

/** Returns `mine copy`, or `mine copy 2` if that is taken. */
export function freeRequest(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let number = 1; ; number++) {
    const next = number === 1 ? `${name} copy` : `${name} copy ${number}`
    if (!taken.has(next)) return next
  }
}

/** Returns the first name of a saved request for an operation: `get-orders-id` for `GET /orders/{id}`. */
export function nameOfOperation(operation: string): string {
  const name = operation
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
  return name === "" ? "request" : name
}
