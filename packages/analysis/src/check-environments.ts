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
  const needed = neededVariables(environments, hasServer)
  for (const environment of environments.environments.values()) {
    checkOwnBaseUrl(environments, environment, add)
    // One that others extend may be there to be extended.
    if (parents.has(environment.name)) continue
    for (const name of missingVariables(environments, environment, needed)) add(missing(environment, name))
  }
}

interface Needed {
  readonly name: string
  readonly hasDefault: boolean
}

/** The variables that a run does not start without. That a secret is missing in the repository says nothing. */
const neededVariables = ({ variables }: EnvironmentFiles, hasServer: boolean): readonly Needed[] =>
  [...variables]
    .filter(
      ([name, { required, secret }]) => secret !== true && (required || (name === "baseUrl" && !hasServer)),
    )
    .map(([name, { default: value }]) => ({ name, hasDefault: !isNothing(value) }))

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

function missingVariables(
  files: EnvironmentFiles,
  environment: Environment,
  needed: readonly Needed[],
): readonly string[] {
  const chain = extendsChain(files.environments, environment.name)
  return needed
    .filter(({ name, hasDefault }) => {
      const holder = chain.find(({ values, secrets }) => values.has(name) || secrets.has(name))
      if (holder === undefined) return !hasDefault
      return isNothing(holder.secrets.get(name) ?? holder.values.get(name))
    })
    .map(({ name }) => name)
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
