// The fields of a documented body, as paths into it. Pure.

import { formatPath } from "@callsheet/format"
import type { FieldView } from "@callsheet/server/calls"
import { plainDescription } from "../ui/plain-description.ts"
import type { Suggestion } from "@callsheet/language"
import type { ValueForm } from "./value-text.ts"

export interface BodyField {
  readonly path: string
  readonly view: FieldView
  /** True if the field and all its containers are required. */
  readonly isRequired: boolean
}

const MAX_FIELDS = 500
const MAX_DEPTH = 6

/** Returns the fields in document order, with fields near the root first. */
export function bodyFields(type: FieldView | undefined): readonly BodyField[] {
  if (type === undefined) return []
  const found: BodyField[] = []
  let level: readonly {
    readonly steps: readonly string[]
    readonly view: FieldView
    readonly isRequired: boolean
  }[] = [{ steps: [], view: type, isRequired: true }]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.length < MAX_FIELDS; depth++) {
    level = level.flatMap(({ steps, view, isRequired }) => [
      ...(view.fields ?? []).map((field) => ({
        steps: [...steps, field.name],
        view: field,
        isRequired: isRequired && field.required === true,
      })),
      ...(view.items === undefined ? [] : [{ steps: [...steps, "0"], view: view.items, isRequired: false }]),
    ])
    found.push(...level.map(({ steps, view, isRequired }) => ({ path: formatPath(steps), view, isRequired })))
  }
  return found.slice(0, MAX_FIELDS)
}

/**
 * Returns the required scalars and lists, which users fill in first. If an object is set as a whole, skips its fields.
 * If a list is set item by item, skips the list.
 */
export const requiredFields = (fields: readonly BodyField[], set: readonly string[]): readonly BodyField[] =>
  fields.filter(
    ({ path, isRequired, view }) =>
      isRequired &&
      view.fields === undefined &&
      !set.some((given) => isInside(path, given) || isInside(given, path)),
  )

const isInside = (path: string, around: string): boolean =>
  path.startsWith(`${around}.`) || path.startsWith(`${around}[`)

export function findFields(
  query: string,
  fields: readonly BodyField[],
  taken: ReadonlySet<string>,
): readonly Suggestion[] {
  const word = query.trim().toLowerCase()
  const offered = fields
    .filter(({ path }) => !taken.has(path) && path.toLowerCase().includes(word))
    .map(({ path, view, isRequired }) => ({ text: path, note: noteOf(view, isRequired) }))
  const typed = query.trim()
  const isKnown = typed === "" || taken.has(typed) || offered.some(({ text }) => text === typed)
  return isKnown ? offered : [...offered, { text: typed, note: "not documented" }]
}

const noteOf = ({ words, description }: FieldView, isRequired: boolean): string =>
  [isRequired ? "required" : "", words, plainDescription(description ?? "")]
    .filter((part) => part !== "")
    .join(" · ")

/** Returns the form that a value of this type probably has. */
export function likelyForm(view: FieldView | undefined): ValueForm {
  const [kind] = view?.kinds ?? []
  if (kind === "array" || kind === "object") return "json"
  return kind === "number" || kind === "boolean" || kind === "null" ? kind : "text"
}
