// Swagger 2.0: a response's schema under each type that the operation produces, and headers that are their own schemas.

import type { MediaType } from "./content.ts"
import { type Located, member, objectMember, type OpenApiDocument, textMember } from "./document.ts"
import type { Operation } from "./operations.ts"
import { swaggerMediaTypes } from "./swagger-media-types.ts"

/** The content of a response; none without a schema, which says that no content comes (2.0, "Response Object"). */
export function swaggerResponseContent(
  document: OpenApiDocument,
  operation: Operation,
  { value, pointer }: Located,
): readonly MediaType[] {
  const schema = member(value, "schema")
  if (schema === undefined) return []
  const isFile = textMember(schema, "type") === "file"
  return swaggerMediaTypes(document, operation, "produces").map((name) =>
    isFile ? { name } : { name, schema: { value: schema, pointer: `${pointer}/schema` } },
  )
}

/** A header as the schema of its value; undefined for a list that is not written with commas, which nothing here reads. */
export function swaggerHeaderSchema(header: Located): Located | undefined {
  let list = objectMember({ header: header.value }, "header")
  for (let depth = 0; depth < MAX_LISTS && list !== undefined; depth++) {
    const format = textMember(list, "collectionFormat") ?? "csv"
    if (format !== "csv") return undefined
    list = objectMember(list, "items")
  }
  return list === undefined ? header : undefined
}

/** Lists of lists beyond this depth are not read. */
const MAX_LISTS = 10
