// Checks that each request has a base URL: the `baseUrl` variable, or else a server of its operation.

import { describeMissingServer, readBaseUrl, serverUrl, type Operation } from "@callsheet/openapi"
import type { ApiSource } from "@callsheet/language"
import { toProblem, type Problem, type ResolvedEnvironment } from "@callsheet/format"
import { messages } from "./messages.ts"

/** By API, the first operation without its own server; undefined for a request that has no operation. */
export type Unserved = Map<string, Operation | undefined>

/** Records the API of a request whose operation, if any, has no server in the document. */
export function noteUnserved(unserved: Unserved, source: ApiSource, operation: Operation | undefined): void {
  const { document, api } = source
  if (unserved.has(api.name)) return
  if (document === undefined || serverUrl(document, operation) === undefined)
    unserved.set(api.name, operation)
}

/** Adds a problem for each API whose base URL is invalid, or missing but needed. */
export function checkBaseUrls(
  apis: ReadonlyMap<string, ApiSource>,
  environments: ReadonlyMap<string, ResolvedEnvironment>,
  context: { readonly unserved: Unserved; readonly problems: Set<Problem> },
): void {
  for (const [name, source] of apis) {
    const environment = environments.get(name)
    const problem = environment === undefined ? undefined : check(source, environment, context.unserved)
    if (problem !== undefined) context.problems.add(problem)
  }
}

function check(source: ApiSource, environment: ResolvedEnvironment, unserved: Unserved): Problem | undefined {
  const variable = environment.variables.get("baseUrl")
  const value = variable?.value
  // A required variable without a value is already reported as missing.
  if (variable?.declaration.required === true && (value === undefined || value === "")) return undefined
  const api = source.api.name
  if (value === undefined)
    return unserved.has(api)
      ? toProblem(
          messages["variable-missing"].baseUrl({
            api,
            environment: environment.name,
            isDeclared: variable !== undefined,
            server: describeMissingServer(source.document, unserved.get(api)),
          }),
        )
      : undefined
  if (typeof value === "string" && readBaseUrl(value).ok) return undefined
  return toProblem(messages["variable-type"].baseUrl(api, environment.name), variable?.file)
}
