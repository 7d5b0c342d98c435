// Swagger 2.0: how the lists in a form are written, which their parameters say.

import { textMember, type OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"
import type { FieldEncodings } from "../serialize/field-encodings.ts"
import { swaggerInnerDelimiters, swaggerParameterParts } from "./parameter.ts"
import { rawParametersOf } from "./raw-parameters.ts"

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
