// The examples that a document gives for a body, a parameter or a header, as written.

import type { JsonValue } from "@callsheet/format"
import { essence } from "@callsheet/format"
import type { MediaType } from "../document/content.ts"
import type { Part } from "../document/part.ts"

export interface NamedExample {
  /** The key in `examples`. Undefined for the only one in `example`. */
  readonly name: string | undefined
  readonly value: JsonValue
}

/** Returns the examples of a media type, parameter or header. Skips values in other files (`externalValue`). */
export function namedExamplesOf(holder: Part | undefined): readonly NamedExample[] {
  if (holder === undefined) return []
  const only = holder.member("example") ?? holder.member("x-example")
  const named = holder.entries("examples").flatMap(([name, written]) => {
    const example = written.dereference()
    // In 3.2, `dataValue` is the value before it is serialized.
    const value = example?.member("dataValue") ?? example?.member("value")
    return value === undefined ? [] : [{ name, value }]
  })
  return only === undefined ? named : [{ name: undefined, value: only }, ...named]
}

export const examplesOf = (holder: Part | undefined): readonly JsonValue[] =>
  namedExamplesOf(holder).map(({ value }) => value)

/** Returns the examples for a response's body. In 2.0, the response lists them by media type. */
export function responseExamples(response: Part, media: MediaType): readonly NamedExample[] {
  if (!response.isSwagger) return namedExamplesOf(media.value)
  return response
    .entries("examples")
    .filter(([name]) => essence(name) === essence(media.name) || media.name === "*/*")
    .map(([, { value }]) => ({ name: undefined, value }))
}
