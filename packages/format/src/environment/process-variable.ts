// The process variables that give variables their values: `CALLSHEET_VAR__<API>__<NAME>`.

import { messages } from "../messages.ts"
import { toProblem, type Problem } from "../problems.ts"
import type { EnvironmentFiles } from "./types.ts"

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** The process variable that gives a variable its value: `HTTPPort` of `shop-eu` is `CALLSHEET_VAR__SHOP_EU__HTTP_PORT`. */
export const processVariableName = (api: string, variable: string): string =>
  `${apiPrefix(api)}${upperSnake(variable)}`

const apiPrefix = (api: string): string => `CALLSHEET_VAR__${upperSnake(api)}__`

const upperSnake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replaceAll(/[-.]/g, "_")
    .toUpperCase()

/** What a process variable holds; an empty one counts as not set. */
export function readProcessVariable(environment: ProcessEnvironment, name: string): string | undefined {
  const text = environment[name]
  return text === "" ? undefined : text
}

/** Whether a process holds nothing: then no name has to be made of which it might hold a value. */
export const isEmptyProcess = (environment: ProcessEnvironment): boolean => {
  for (const _ in environment) return false
  return true
}

/** An error for each process variable that is set and that several variables, of one API or of several, would read. */
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

/** A process variable that is set and was probably meant for `variable`: its name differs in underscores alone. */
export function nearMiss(environment: ProcessEnvironment, api: string, variable: string): string | undefined {
  const wanted = processVariableName(api, variable)
  const bare = wanted.replaceAll("_", "")
  return Object.keys(environment).find(
    (name) =>
      name !== wanted && name.startsWith("CALLSHEET_VAR") && name.toUpperCase().replaceAll("_", "") === bare,
  )
}
