// A path of a document or a saved request, taken apart once: `/orders/{id}`.

import { encodeLiteral } from "./percent.ts"

export interface PathTemplate {
  /** As it is written. */
  readonly text: string
  /** Literal parts at the even places, percent-encoded, and names of parameters at the odd ones. */
  readonly segments: readonly (readonly string[])[]
  /** Of all parameters, each once. */
  readonly names: readonly string[]
}

const placeholder = /\{([^{}]+)\}/g

/**
 * Takes a path apart.
 *
 * @example
 * parsePathTemplate("/orders/{id}").segments // [[""], ["orders"], ["", "id", ""]]
 */
export function parsePathTemplate(text: string): PathTemplate {
  // What follows `#` tells operations of some documents apart, and is never sent.
  const path = text.replace(/#.*/s, "")
  // Of what a pattern splits at, its group stands at the odd places.
  const parts = path.split(placeholder)
  let segment: string[] = []
  const segments = [segment]
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) segment.push(part)
    else
      for (const [at, literal] of part.split("/").entries()) {
        if (at > 0) segments.push((segment = []))
        segment.push(encodeLiteral(literal))
      }
  }
  return { text, segments, names: [...new Set(parts.filter((_, index) => index % 2 === 1))] }
}
