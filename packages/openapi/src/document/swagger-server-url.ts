// Swagger 2.0: where the API is, said in parts.

import { listMember, member, type OpenApiDocument, textMember } from "./document.ts"
import type { Operation } from "./operations.ts"

/**
 * The first of the operation's `schemes`, else the document's, that is http or https, with `host` and `basePath`.
 * Undefined without a host or a scheme: they are then those by which the document came, and a file came by none.
 */
export function swaggerServerUrl({ root }: OpenApiDocument, operation?: Operation): string | undefined {
  const holder = member(operation?.value, "schemes") === undefined ? root : operation?.value
  const scheme = listMember(holder, "schemes").find((name) => name === "https" || name === "http")
  const host = textMember(root, "host")
  if (host === undefined || host === "" || scheme === undefined) return undefined
  const basePath = textMember(root, "basePath") ?? ""
  const path = basePath === "/" ? "" : basePath
  return `${scheme}://${host}${path === "" || path.startsWith("/") ? path : `/${path}`}`
}
