// Whether the requests of a workflow have somewhere to go: a variable `baseUrl`, else a server of their operations.

import { describeMissingServer, readBaseUrl, serverUrl, type Operation } from "@callsheet/openapi"
import type { ApiSource } from "@callsheet/language"
import type { Problem, ResolvedEnvironment } from "@callsheet/format"

/** By API, the first operation that has no server of its own; undefined for a request that is none of an operation. */
export type Unserved = Map<string, Operation | undefined>

/** Notes the API of a request whose operation, if it has one, has no server in the document. */
export function noteUnserved(unserved: Unserved, source: ApiSource, operation: Operation | undefined): void {
  const { document, api } = source
  if (unserved.has(api.name)) return
  if (document === undefined || serverUrl(document, operation) === undefined)
    unserved.set(api.name, operation)
}

/** Adds a problem for each API whose base URL is none, or which needs one and has none. */
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
  // A required one that has no value is among the missing variables already.
  if (variable?.declaration.required === true && (value === undefined || value === "")) return undefined
  const api = source.api.name
  if (value === undefined)
    return unserved.has(api)
      ? missing(source, environment, describeMissingServer(source.document, unserved.get(api)))
      : undefined
  if (typeof value === "string" && readBaseUrl(value).ok) return undefined
  return {
    ...(variable?.file === undefined ? {} : { file: variable.file }),
    code: "variable-type",
    severity: "error",
    message: `the variable "baseUrl" of "${api}" in the environment "${environment.name}" is no http or https URL`,
    hint: `for example "https://api.example.com/v1"`,
  }
}

function missing(
  { api }: ApiSource,
  { name, variables }: ResolvedEnvironment,
  server: string | undefined,
): Problem {
  const why =
    server === undefined
      ? `neither a variable "baseUrl" nor a server in its document`
      : `no variable "baseUrl", and ${server}`
  return {
    code: "variable-missing",
    severity: "error",
    message: `the API "${api.name}" has no base URL in the environment "${name}": ${why}`,
    hint: variables.has("baseUrl")
      ? `give "baseUrl" a value in apis/${api.name}/environments/${name}.json`
      : `declare "baseUrl" in apis/${api.name}/environments/schema.json and give it a value`,
  }
}
