// Ways through what a script can read: the steps of a path, and the members of an expression. Pure.

import { parsePath } from "@callsheet/format"
import type { FieldView, NamedField } from "@callsheet/server/calls"

/** What a step leads to; an index leads to the items of an array. */
export function stepOf({ fields, items }: FieldView, name: string): FieldView | undefined {
  if (items !== undefined && /^\d+$/.test(name)) return items
  return fields?.find((field) => field.name === name)
}

/** What a whole path reads; undefined where it is not known. */
export function fieldAt(names: readonly NamedField[], path: string): FieldView | undefined {
  const parsed = parsePath(path)
  if (!parsed.ok) return undefined
  const [first, ...rest] = parsed.segments
  let here: FieldView | undefined = names.find(({ name }) => name === first)
  for (const segment of rest) here = here === undefined ? undefined : stepOf(here, segment)
  return here
}

/** A path that is being typed: what stands before its last step, what leads to that step, and what is there of it. */
interface OpenPath {
  readonly head: string
  readonly separator: "" | "." | "["
  readonly step: string
}

export function openPath(text: string): OpenPath {
  const [, head = "", separator = "", step = ""] = /^(?:([^]*?)([.[]))?([^.[\]"]*)$/.exec(text) ?? []
  return { head, separator: separator === "." || separator === "[" ? separator : "", step }
}
