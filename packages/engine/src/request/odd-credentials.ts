// Finds credentials that a server can't accept because of how a variable was set, and names the variable.

import { quote, type Finding, type ResolvedEnvironment, type ResolvedVariable } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { WireRequest } from "../ports.ts"
import { sourceOutside } from "../plan/variable-source.ts"
import type { Credential } from "./credentials.ts"

const says = messages["credential-invalid"]

type Environments = ReadonlyMap<string, ResolvedEnvironment>

/** Returns a warning about a credential that is sent although it is probably wrong. */
export function oddCredential(
  { headers }: WireRequest,
  credentials: readonly Credential[],
  environments: Environments,
): Finding | undefined {
  for (const { variable, text } of credentials) {
    if (variable === undefined) continue
    const value = String(variable.value)
    const isBasic = text.startsWith("Basic ") && text !== value
    // A password may end in a space.
    const hasBlank = (isBasic ? /[\r\n]$/ : /^\s|\s$/).test(value)
    if (!hasBlank && (!isBasic || value.includes(":"))) continue
    for (const environment of environments.values()) {
      if (environment.variables.get(variable.name) !== variable) continue
      const described = describeVariable(environment.api, variable)
      return hasBlank ? says.blank(described, endOf(value)) : says.noColon(described)
    }
  }
  const header = headers.find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? ""
  const [, scheme] = /^(bearer|basic|token|digest)\s+\1\s/i.exec(header) ?? []
  if (scheme === undefined) return undefined
  const starts = new RegExp(`^${scheme}\\s`, "i")
  return says.twice(
    scheme,
    findVariable(environments, (value) => starts.test(value) && header.endsWith(value)),
  )
}

/** Names the variable that brought a line break into a header. Undefined unless one did. */
export function strayVariable({ headers }: WireRequest, environments: Environments): string | undefined {
  const broken = headers.filter(([, value]) => /[\r\n]/.test(value))
  if (broken.length === 0) return undefined
  const found = findVariable(
    environments,
    (value) => /[\r\n]/.test(value) && broken.some(([, header]) => header.includes(value)),
  )
  return found === undefined ? undefined : says.lineBreak(found).message
}

function findVariable(environments: Environments, matches: (value: string) => boolean): string | undefined {
  for (const { api, variables } of environments.values())
    for (const variable of variables.values())
      if (typeof variable.value === "string" && matches(variable.value))
        return describeVariable(api, variable)
  return undefined
}

function describeVariable(api: string, variable: ResolvedVariable): string {
  const place = sourceOutside(api, variable) ?? variable.file
  return `the variable ${quote(variable.name)} of the API ${quote(api)}${place === undefined ? "" : ` (${place})`}`
}

const endOf = (value: string): "line break" | "space" => (/[\r\n]/.test(value) ? "line break" : "space")
