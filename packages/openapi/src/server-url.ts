// Where a document says that its API is.

import { member, listMember, objectMember, textMember, type OpenApiDocument } from "./document.ts"
import type { Operation } from "./operations.ts"
import { swaggerServerUrl } from "./swagger/server-url.ts"

/**
 * The URL of the first server of the operation, else of its path, else of the document, its variables filled in with
 * their defaults; of a 2.0 document what its host, basePath and schemes come to. Undefined where none is said, or one that is no absolute http or https URL: a document in a folder
 * has no address that a relative one could start from.
 */
export function serverUrl(document: OpenApiDocument, operation?: Operation): string | undefined {
  if (document.version === "2.0") {
    const url = swaggerServerUrl(document, operation)
    return url === undefined ? undefined : absolute(url)
  }
  for (const holder of [operation?.value, operation?.pathItem, document.root]) {
    const [first] = listMember(holder, "servers")
    const url = textMember(first, "url")
    if (url !== undefined) return absolute(fillVariables(url, objectMember(first, "variables") ?? {}))
  }
  return undefined
}

const fillVariables = (url: string, variables: Parameters<typeof member>[0]): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = member(member(variables, name), "default")
    return value === undefined || value === null || typeof value === "object" ? whole : String(value)
  })

const absolute = (url: string): string | undefined =>
  /^https?:\/\/[^{}]+$/i.test(url) && URL.canParse(url) ? url : undefined
