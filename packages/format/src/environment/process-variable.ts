// Reads variables from the process environment: `CALLSHEET_VAR__<API>__<NAME>`.

import { messages } from "../messages.ts"
import { toProblem, type Problem } from "../problems.ts"
import type { EnvironmentFiles } from "./types.ts"

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** Returns the process variable for a variable: `HTTPPort` of `shop-eu` is `CALLSHEET_VAR__SHOP_EU__HTTP_PORT`. */
export const processVariableName = (api: string, variable: string): string =>
  `${apiPrefix(api)}${upperSnake(variable)}`

const apiPrefix = (api: string): string => `CALLSHEET_VAR__${upperSnake(api)}__`

const upperSnake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replaceAll(/[-.]/g, "_")
    .toUpperCase()

/** Reads a process variable. An empty one counts as not set. */
export function readProcessVariable(environment: ProcessEnvironment, name: string): string | undefined {
  const text = environment[name]
  return text === "" ? undefined : text
}

/** Returns whether the process environment is empty, so that callers need not build variable names. */
export const isEmptyProcess = (environment: ProcessEnvironment): boolean => {
  for (const _ in environment) return false
  return true
}

/** Reports each set process variable that several variables, of one API or of several, would read. */
export function ambiguousProcessVariables(
  apis: Iterable<EnvironmentFiles>,
  environment: ProcessEnvironment,
): readonly Problem[] {
  const readers = new Map<string, string[]>()
  if (isEmptyProcess(environment)) return []
  for (const { api, variables } of apis) {
    for (const variable of variables.keys()) {
      const name = processVariableName(api, variable)
      if (readProcessVariable(environment, name) === undefined) continue
      readers.set(name, [...(readers.get(name) ?? []), `${api}.${variable}`])
    }
  }
  return [...readers]
    .filter(([, variables]) => variables.length > 1)
    .map(([name, variables]) => toProblem(messages["variable-ambiguous"].shared(name, variables)))
}

/** Finds a set process variable that was probably meant for `variable`: the names differ only in underscores. */
export function nearMiss(environment: ProcessEnvironment, api: string, variable: string): string | undefined {
  const wanted = processVariableName(api, variable)
  const bare = wanted.replaceAll("_", "")
  return Object.keys(environment).find(
    (name) =>
      name !== wanted && name.startsWith("CALLSHEET_VAR") && name.toUpperCase().replaceAll("_", "") === bare,
  )
}
