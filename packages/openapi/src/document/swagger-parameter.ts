// Swagger 2.0: how the value of a parameter is written, in the words of 3.x.

import { type Located, textMember } from "./document.ts"
import type { Parameter } from "./parameters.ts"

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

/** The style of 3.x that a `collectionFormat` means; undefined for commas. */
export const styleOf = (format: string | undefined): string | undefined =>
  format !== undefined && Object.hasOwn(styles, format) ? styles[format] : undefined

/** Tabs have no style in 3.x. */
const styles: Readonly<Record<string, string>> = {
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
}
