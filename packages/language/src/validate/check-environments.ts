// Checks that the environments of an API are complete, except for values from outside the repository.

import {
  createProblemMaker,
  type Environment,
  type EnvironmentFiles,
  extendsChain,
  type Problem,
  toProblem,
  type VariableDeclaration,
} from "@callsheet/format"
import { listOperations, type OpenApiDocument, serverUrl } from "@callsheet/openapi"
import type { ApiSource } from "../requests/target.ts"
import { messages } from "../messages.ts"

export function checkEnvironments({ api, document }: ApiSource, add: (problem: Problem) => void): void {
  const { environments } = api
  const parents = new Set([...environments.environments.values()].map((environment) => environment.extends))
  const needed = neededVariables(environments, document !== undefined && hasServer(document))
  const broken = new Set(
    environments.problems.flatMap(({ file, severity }) => (severity === "error" ? [file] : [])),
  )
  for (const environment of environments.environments.values()) {
    checkOwnBaseUrl(environments, environment, add)
    // Skips environments that others extend, because they may be incomplete on purpose.
    if (parents.has(environment.name)) continue
    const chain = extendsChain(environments.environments, environment.name)
    if (isBroken(chain, broken)) continue
    for (const variable of needed) if (isMissing(chain, variable)) add(missing(environment, variable))
  }
}

/** Returns whether a run may not need `baseUrl`, because the document or some of its operations have servers. */
const hasServer = (document: OpenApiDocument): boolean =>
  serverUrl(document) !== undefined ||
  listOperations(document).some((operation) => serverUrl(document, operation) !== undefined)

/** Returns whether an environment or one of its parents has errors. Such an environment isn't checked for values. */
const isBroken = (chain: readonly Environment[], files: ReadonlySet<string | undefined>): boolean =>
  chain.at(-1)?.extends !== undefined ||
  chain.some(
    ({ valueFile, secretsFile }) => files.has(valueFile.file) || (secretsFile && files.has(secretsFile.file)),
  )

type Needed = VariableDeclaration & { readonly name: string }

/** Returns the variables that a run requires, except secrets, which may be set outside the repository. */
const neededVariables = ({ variables }: EnvironmentFiles, hasServer: boolean): readonly Needed[] =>
  [...variables]
    .map(([name, declaration]) => ({ ...declaration, name }))
    .filter(
      ({ name, required, secret }) => secret !== true && (required || (name === "baseUrl" && !hasServer)),
    )

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

function isMissing(chain: readonly Environment[], { name, default: value }: Needed): boolean {
  const holder = chain.find(({ values, secrets }) => values.has(name) || secrets.has(name))
  return isNothing(holder === undefined ? value : (holder.secrets.get(name) ?? holder.values.get(name)))
}

function missing({ name: environment, valueFile: { file } }: Environment, { name, required }: Needed) {
  const { required: withoutValue, noServer } = messages["variable-missing"]
  const finding = required ? withoutValue(environment, name, file) : noServer(environment, name, file)
  return { ...toProblem(finding, file), line: 1, column: 1 }
}

function checkOwnBaseUrl(
  { variables }: EnvironmentFiles,
  { values, valueFile }: Environment,
  add: (problem: Problem) => void,
): void {
  const value = values.get("baseUrl")
  if (typeof value !== "string" || value === "" || variables.get("baseUrl")?.type !== "string") return
  if (/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : "")) return
  add(createProblemMaker(valueFile)(["baseUrl"], "value", messages["variable-type"].baseUrl()))
}
