// Swagger 2.0: how the lists in a form are written, which their parameters say.

import type { OpenApiDocument } from "../document/document.ts"
import { type Located, objectMember, textMember } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import { rawParametersOf, styleOf, swaggerParameterParts } from "../document/swagger.ts"
import type { FieldEncodings } from "./field-encodings.ts"
import { delimiterOf } from "./spread-value.ts"

/** By the names of the fields that are lists. */
export function swaggerFieldEncodings(document: OpenApiDocument, operation: Operation): FieldEncodings {
  const fields = rawParametersOf(document, operation).parameters.filter(
    ({ value }) => textMember(value, "in") === "formData" && textMember(value, "type") === "array",
  )
  return new Map(
    fields.map((field) => {
      const { style, explode } = swaggerParameterParts(field, "query")
      const inner = swaggerInnerDelimiters(field)
      const encoding = {
        style: { style, explode, inner, allowReserved: false },
        contentTypes: [],
        headers: [],
      }
      return [textMember(field.value, "name") ?? "", encoding]
    }),
  )
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
