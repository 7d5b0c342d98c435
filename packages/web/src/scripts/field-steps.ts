// Resolves paths and expressions in the types that a script can read. Pure.

import { parsePath } from "@callsheet/format"
import type { FieldView, NamedField } from "@callsheet/server/calls"

/** Returns the field after a step. For an index, returns the type of the array's items. */
export function stepOf({ fields, items }: FieldView, name: string): FieldView | undefined {
  if (items !== undefined && /^\d+$/.test(name)) return items
  return fields?.find((field) => field.name === name)
}

/** Returns the field at the end of a path. Undefined if it is unknown. */
export function fieldAt(names: readonly NamedField[], path: string): FieldView | undefined {
  const parsed = parsePath(path)
  if (!parsed.ok) return undefined
  const [first, ...rest] = parsed.segments
  let here: FieldView | undefined = names.find(({ name }) => name === first)
  for (const segment of rest) here = here === undefined ? undefined : stepOf(here, segment)
  return here
}

/** An incomplete path: the text before its last step, the steps in that text, and the typed part. */
interface OpenPath {
  readonly head: string
  readonly separator: "" | "." | "["
  readonly step: string
}

export function openPath(text: string): OpenPath {
  const [, head = "", separator = "", step = ""] = /^(?:([^]*?)([.[]))?([^.[\]"]*)$/.exec(text) ?? []
  return { head, separator: separator === "." || separator === "[" ? separator : "", step }
}
