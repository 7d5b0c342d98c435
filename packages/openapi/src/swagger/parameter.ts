// Swagger 2.0: how the value of a parameter is written, in the words of 3.x.

import { textMember, type Located } from "../document.ts"
import type { Parameter } from "../parameters.ts"

/** `collectionFormat` as a style. A parameter is the schema of its value. */
export function swaggerParameterParts(
  { value, pointer }: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const schema = { value, pointer }
  const format = textMember(value, "collectionFormat")
  if (place === "path" || place === "header") return { style: "simple", explode: false, schema }
  return { style: styles[format ?? ""] ?? "form", explode: format === "multi", schema }
}

/** Tabs have no style in 3.x. */
const styles: Readonly<Record<string, string>> = {
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
}
