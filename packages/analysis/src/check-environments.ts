// What the environments of an API lack for a run, as far as the repository tells: secrets and process variables come later.

import {
  createProblemMaker,
  extendsChain,
  type Environment,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
} from "@callsheet/format"
import { serverUrl } from "@callsheet/openapi"
import type { ApiSource } from "./target.ts"

/** Reports required variables without a value, and base URLs that are none. */
export function checkEnvironments({ api, document }: ApiSource, add: (problem: Problem) => void): void {
  const { environments } = api
  const parents = new Set([...environments.environments.values()].map((environment) => environment.extends))
  const hasServer = document !== undefined && serverUrl(document) !== undefined
  for (const environment of environments.environments.values()) {
    checkOwnBaseUrl(environments, environment, add)
    // One that others extend may be there to be extended.
    if (parents.has(environment.name)) continue
    for (const name of missingVariables(environments, environment, hasServer)) add(missing(environment, name))
  }
}

function missingVariables(files: EnvironmentFiles, environment: Environment, hasServer: boolean): string[] {
  const chain = extendsChain(files.environments, environment.name)
  const isMissing = (name: string): boolean => {
    const holder = chain.find(({ values, secrets }) => secrets.has(name) || values.has(name))
    const value = holder?.secrets.get(name) ?? holder?.values.get(name)
    if (holder !== undefined) return value === null || value === undefined || value === ""
    const standard = files.variables.get(name)?.default
    return standard === undefined || standard === null || standard === ""
  }
  const missing: string[] = []
  for (const [name, { required, secret }] of files.variables) {
    const isNeeded = required || (name === "baseUrl" && !hasServer)
    // A secret is not in the repository: that it is missing says nothing.
    if (isNeeded && secret !== true && isMissing(name)) missing.push(name)
  }
  return missing
}

const missing = ({ name: environment, valueFile }: Environment, name: string): Problem => ({
  code: "variable-missing",
  severity: "warning",
  file: valueFile.file,
  line: 1,
  column: 1,
  message: `the environment "${environment}" has no value for the required variable "${name}"`,
  hint: `give it in ${valueFile.file}, or by a process variable where it runs`,
})

function checkOwnBaseUrl(
  { variables }: EnvironmentFiles,
  { values, valueFile }: Environment,
  add: (problem: Problem) => void,
): void {
  const value = values.get("baseUrl")
  if (value === undefined || value === "" || !isText(value) || variables.get("baseUrl")?.type !== "string")
    return
  if (/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : "")) return
  add(
    createProblemMaker(valueFile)(["baseUrl"], "value", {
      code: "variable-type",
      message: `"baseUrl" is no http or https URL`,
      hint: `for example "https://api.example.com/v1"`,
    }),
  )
}

const isText = (value: JsonValue): value is string => typeof value === "string"
