// The fields and values that the shape of a file allows at a place.

import { ownOf, snippetOf, stringifyJson, type JsonPointer, type Shape } from "@callsheet/format"
import { fieldsToAdd, shapesAt, valuesOf } from "@callsheet/language"
import { valuePointer, type JsonSpot } from "../known/json-file.ts"
import { itemKinds, type Choice } from "./choice.ts"

export function fieldChoices(
  shape: Shape,
  spot: JsonSpot,
  show: (text: string) => string,
): readonly Choice[] {
  const { parent, takenKeys } = spot.place
  const fields = fieldsToAdd(shape, parent, { value: spot.value(), taken: new Set(takenKeys) })
  const ordered = fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
  return ordered
    .filter(({ name }) => name !== "$schema")
    .map(({ name, field, isRequired }) => ({
      label: name,
      kind: itemKinds.property,
      detail: isRequired ? "required" : defaultText(field.default, spot),
      documentation: field.summary === "" ? undefined : show(field.summary),
      write: { is: "key", after: field.shape },
    }))
}

/** Defaults of variables are values, which a value file's completion doesn't show. */
const defaultText = (
  value: Parameters<typeof stringifyJson>[0] | undefined,
  { file }: JsonSpot,
): string | undefined =>
  value === undefined || file.is.kind === "environment" ? undefined : `default: ${stringifyJson(value)}`

export function valueChoices(shape: Shape, spot: JsonSpot): readonly Choice[] {
  return shapesAt(shape, valuePointer(spot), spot.value()).flatMap((one) =>
    valuesOf(one).map(({ value, summary }): Choice => ({
      label: typeof value === "string" ? value : stringifyJson(value),
      kind: itemKinds.enumMember,
      documentation: summary,
      write: { is: "value", value },
    })),
  )
}

/** Returns whole items for a list of blocks or of objects. */
export function itemChoices(shape: Shape, spot: JsonSpot): readonly Choice[] {
  const { place } = spot
  if (place.container !== "array" || (place.token !== undefined && place.token !== "word")) return []
  return rawItems(shape, place.parent, spot).flatMap((item): readonly Choice[] => {
    if (item.is === "variant")
      return Object.entries(item.variants).map(([kind, variant]) => ({
        label: `${kind} ${item.name}`,
        kind: itemKinds.snippet,
        documentation: ownOf(item.summaries, kind),
        write: { is: "value", value: snippetOf(variant), isSnippet: true },
      }))
    if (item.is !== "object") return []
    const value = snippetOf(item)
    const label = `{ ${Object.keys(value).join(", ")} }`
    return [{ label, kind: itemKinds.snippet, write: { is: "value", value, isSnippet: true } }]
  })
}

/** The shapes of a list's items, with alternatives such as kinds of blocks not opened. */
const rawItems = (shape: Shape, list: JsonPointer, spot: JsonSpot): readonly Shape[] =>
  shapesAt(shape, list, spot.value())
    .flatMap((one) => (one.is === "array" ? [one.items()] : []))
    .flatMap((one) => (one.is === "either" ? one.of : [one]))
