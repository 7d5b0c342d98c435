// Says which block of a workflow a place belongs to, and how a text there reads names.

import { childFields, type JsonPointer } from "@callsheet/format"
import type { Reads } from "./tokens-in.ts"

interface BlockPlace {
  readonly block: JsonPointer
  /** The path from the block. */
  readonly field: JsonPointer
}

/** Returns the innermost block around a pointer. Undefined outside blocks. */
export function blockPlaceAt(pointer: JsonPointer): BlockPlace | undefined {
  let end = 0
  while (
    (end === 0 ? pointer[0] === "blocks" : childFields.includes(String(pointer[end]))) &&
    typeof pointer[end + 1] === "number"
  )
    end += 2
  return end === 0 ? undefined : { block: pointer.slice(0, end), field: pointer.slice(end) }
}

const literal: ReadonlySet<unknown> = new Set(["type", "mode", "execution", "$schema"])

/** Returns how the text at a path from its block reads names: as a path, in placeholders, or not at all. */
export function readsInBlock(field: JsonPointer): Reads {
  const [first, second] = field
  if (literal.has(first)) return "none"
  if (first === "transforms") return field.length === 2 ? "path" : "none"
  if (first === "source" && field.length === 1) return "path"
  if (first === "if" || first === "until" || first === "assertions") {
    const inner = field[first === "assertions" ? 2 : 1]
    return inner === "source" ? "path" : inner === "value" ? "text" : "none"
  }
  return first === "request" && second === "api" ? "none" : "text"
}

const literalInRequests: ReadonlySet<unknown> = new Set(["method", "bodyType", "$schema"])

/** Returns how the text at a pointer of a saved request reads names. */
export const readsInRequest = ([field]: JsonPointer): Reads =>
  literalInRequests.has(field) ? "none" : "text"
