// Returns the base URL that a run shows for an API, without its query, which may be a credential.

import { hideUrlCredentials, type BoundEnvironment, type ResolvedEnvironment } from "@callsheet/format"
import { readBaseUrl, serverUrl, type OpenApiDocument } from "@callsheet/openapi"
import { MASK } from "../outlet/mask.ts"

export function shownBaseUrl(
  { variables }: ResolvedEnvironment,
  document: OpenApiDocument | undefined,
): Pick<BoundEnvironment, "baseUrl"> {
  const variable = variables.get("baseUrl")
  if (variable?.value !== undefined && variable.declaration.secret === true) return { baseUrl: MASK }
  const url = variable?.value ?? (document && serverUrl(document))
  const read = readBaseUrl(String(url ?? ""))
  return read.ok ? { baseUrl: hideUrlCredentials(read.base.path) } : {}
}
