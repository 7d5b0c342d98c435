// What a diagnostic carries for its fix, and how it is read when the client sends it back.

import type { PlacedReplacement, Replacement } from "@callsheet/format"

type Placed = Omit<PlacedReplacement, "source">

/** Contains no text of the file except the misspelled name. */
export const dataOf = ({
  is,
  from,
  to,
  pointer,
  within,
}: PlacedReplacement): { readonly replacement: Placed } => ({
  replacement: { is, from, to, pointer, within },
})

/** Clients return the data as they received it, but a client may send anything. */
export function readReplacement(data: unknown): Placed | undefined {
  const { is, from, to, pointer, within } = membersOf(membersOf(data)["replacement"])
  if (!isKind(is) || typeof from !== "string" || typeof to !== "string") return undefined
  if (!Array.isArray(pointer) || !pointer.every(isStep) || !Number.isSafeInteger(within)) return undefined
  return { is, from, to, pointer, within: Number(within) }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const isKind = (is: unknown): is is Replacement["is"] => is === "key" || is === "value" || is === "name"

const isStep = (step: unknown): step is string | number =>
  typeof step === "string" || typeof step === "number"
