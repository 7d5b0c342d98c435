// Swagger 2.0: how the value of a parameter is written, in the words of 3.x.

import { objectMember, textMember, type Located } from "../document.ts"
import type { Parameter } from "../parameters.ts"
import { delimiterOf } from "../serialize/spread-value.ts"

/** `collectionFormat` as a style. A parameter is the schema of its value. */
export function swaggerParameterParts(
  { value, pointer }: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const schema = { value, pointer }
  const style = styleOf(textMember(value, "collectionFormat"))
  if (place === "path" || place === "header") return { style: style ?? "simple", explode: false, schema }
  return { style: style ?? "form", explode: textMember(value, "collectionFormat") === "multi", schema }
}

/** What stands between the items of lists in lists, from the outer to the inner ones; `multi` counts as `csv` there. */
export function swaggerInnerDelimiters({ value }: Located): readonly string[] {
  const found: string[] = []
  let items = objectMember(value, "items")
  while (items !== undefined && textMember(items, "type") === "array" && found.length < MAX_LISTS) {
    found.push(delimiterOf(styleOf(textMember(items, "collectionFormat")) ?? "simple"))
    items = objectMember(items, "items")
  }
  return found
}

/** Lists of lists beyond this depth are not read. */
const MAX_LISTS = 10

const styleOf = (format: string | undefined): string | undefined =>
  format !== undefined && Object.hasOwn(styles, format) ? styles[format] : undefined

/** Tabs have no style in 3.x. */
const styles: Readonly<Record<string, string>> = {
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
}
