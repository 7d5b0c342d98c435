// Swagger 2.0: the media types that an operation takes and gives, which it says apart from bodies.

import { listMember, member, type OpenApiDocument } from "./document.ts"
import type { Operation } from "./operations.ts"

/** The operation's own list, be it empty, else the document's; any type where neither names one. */
export function swaggerMediaTypes(
  { root }: OpenApiDocument,
  { value }: Operation,
  field: "consumes" | "produces",
): readonly string[] {
  const holder = member(value, field) === undefined ? root : value
  const names = listMember(holder, field).filter((name) => typeof name === "string")
  return names.length === 0 ? ["*/*"] : [...new Set(names)]
}
