// Finds the API's base URL in a document.

import { hideUrlCredentials } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { listMember, member, objectMember, textMember } from "./located.ts"
import type { Operation } from "./operations.ts"
import { swaggerServerUrl } from "./swagger.ts"
import { reasons } from "./messages.ts"

/** Returns the first absolute server URL: of the operation, its path or the document. */
export function serverUrl(document: OpenApiDocument, operation?: Operation): string | undefined {
  const find = document.version === "2.0" ? swaggerServerUrl : firstUrl
  const url = find(document, operation) ?? ""
  return /^https?:\/\/[^{}]+$/i.test(url) && URL.canParse(url) ? url : undefined
}

/** Returns every server URL of the document itself. A URL may be relative, or contain variables without a default. */
export function serverUrls(document: OpenApiDocument): readonly string[] {
  if (document.version === "2.0") return [swaggerServerUrl(document) ?? []].flat()
  return listMember(document.root, "servers").flatMap((server) => {
    const url = textMember(server, "url")
    return url === undefined ? [] : [fillVariables(url, objectMember(server, "variables") ?? {})]
  })
}

/** Returns the path of the document's first server, without a slash at its end: `/v1`. Empty if it has none. */
export function serverPath(document: OpenApiDocument): string {
  const [first] = serverUrls(document)
  const own = document.version === "2.0" ? (textMember(document.root, "basePath") ?? "") : (first ?? "")
  const path = own.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "")
  return /[{}]/.test(path) ? "" : `/${path}`.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "")
}

function firstUrl(document: OpenApiDocument, operation: Operation | undefined): string | undefined {
  for (const holder of [operation?.value, operation?.pathItem.value, document.root]) {
    const [first] = listMember(holder, "servers")
    const url = textMember(first, "url")
    if (url !== undefined) return fillVariables(url, objectMember(first, "variables") ?? {})
  }
  return undefined
}

/** Explains why no URL was found: `the server "/v1" of its document is not absolute`. Undefined without any server. */
export function describeMissingServer(
  document: OpenApiDocument | undefined,
  operation?: Operation,
): string | undefined {
  if (document === undefined) return undefined
  if (document.version === "2.0")
    return textMember(document.root, "host") === undefined ? undefined : reasons.hostWithoutScheme()
  const url = firstUrl(document, operation)
  if (url === undefined) return undefined
  const open = /\{([^{}]+)\}/.exec(url)?.[1]
  return open === undefined
    ? reasons.relativeServer(hideUrlCredentials(url))
    : reasons.openServer(hideUrlCredentials(url), open)
}

const fillVariables = (url: string, variables: Parameters<typeof member>[0]): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = member(member(variables, name), "default")
    return value === undefined || value === null || typeof value === "object" ? whole : String(value)
  })
