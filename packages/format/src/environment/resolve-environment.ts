// Resolves each variable of an environment. Returns which file, option or process variable
// (`CALLSHEET_VAR__<API>__<NAME>`) set it.

import { ownOf } from "../json/value.ts"
import { messages } from "../messages.ts"
import { CallsheetError, type Problem, toProblem } from "../problems.ts"
import { suggest } from "../text/did-you-mean.ts"
import { coerceText, isOfType, type Scalar } from "./coerce-text.ts"
import type { VariableDeclaration } from "./shapes.ts"
import { extendsChain } from "./check-environment-files.ts"
import { secretReference } from "./secret-reference.ts"
import { urlCredentials } from "./url-credentials.ts"
import type { Level } from "../events/types.ts"
import type { Environment, EnvironmentFiles, ResolvedEnvironment, ResolvedVariable } from "./types.ts"

export interface ResolveRequest {
  readonly files: EnvironmentFiles
  readonly name: string
  /** This API's `--var <api>.<name>=<value>` options, by name. */
  readonly overrides?: ReadonlyMap<string, string>
  readonly processEnvironment?: ProcessEnvironment
}

/**
 * Resolves every declared variable from the first source that sets it: `--var`, a process variable, the secrets file
 * and value file of each environment up the chain, the default. `null` sets no value and ends the search. So does an
 * empty string for a number or boolean in a secrets file.
 *
 * Reports missing values and unusable overrides without quoting a value. Throws `env-missing` if the environment
 * doesn't exist.
 */
export function resolveEnvironment(request: ResolveRequest) {
  const { files, name, overrides = new Map<string, string>(), processEnvironment: process = {} } = request
  const chain = extendsChain(files.environments, name)
  if (chain.length === 0)
    throw new CallsheetError(messages["env-missing"].unknown(files.api, name, [...files.environments.keys()]))
  const problems: Problem[] = [
    ...undeclaredOverrides(files, overrides),
    ...ambiguousProcessVariables([files], process),
  ]
  const isProcessEmpty = isEmptyProcess(process)
  const scope: Scope = { files, name, chain, overrides, process, isProcessEmpty, problems }
  const variables = [...files.variables].map(
    ([variable, declaration]) => [variable, resolveVariable(scope, variable, declaration)] as const,
  )
  const environment: ResolvedEnvironment = {
    api: files.api,
    name,
    level: levelOf(chain),
    verifyTls: chain.find((link) => link.tls !== undefined)?.tls?.["verify"] !== false,
    extends: chain[0]?.extends,
    variables: new Map(variables),
  }
  return { environment, problems }
}

/** Returns the values to mask: those of secret variables, and the user and password of URLs in other variables. */
export function secretValues(environment: ResolvedEnvironment): readonly { name: string; value: Scalar }[] {
  return [...environment.variables.values()].flatMap(({ name, declaration, value, reference }) => {
    if (value === undefined || reference !== undefined) return []
    if (declaration.secret === true) return [{ name, value }]
    return typeof value === "string" ? urlCredentials(value).map((secret) => ({ name, value: secret })) : []
  })
}

/**
 * Returns the values that messages about an API must not quote: everything in its secrets files, and process variables
 * for secrets. If the schema can't be read, includes every process variable for the API.
 */
export function knownSecrets(
  { api, environments, variables, strandedSecrets = [] }: EnvironmentFiles,
  process: ProcessEnvironment,
): readonly { name: string; value: string }[] {
  const prefix = processVariableName(api, "")
  const names =
    variables.size === 0
      ? Object.keys(process).filter((name) => name.startsWith(prefix))
      : [...variables].flatMap(([name, { secret }]) =>
          secret === true ? processVariableName(api, name) : [],
        )
  return [
    ...[
      ...[...environments.values()].flatMap(({ secrets }) => [...secrets]),
      ...strandedSecrets.map(({ name, value }) => [name, value] as const),
    ].filter(([name, value]) => secretReference(variables.get(name), value) === undefined),
    ...names.map((name) => [name, readProcessVariable(process, name) ?? ""] as const),
  ].flatMap(([name, value]) => (value === "" ? [] : [{ name, value }]))
}

/** Returns whether a variable's value is a reference, which a run replaces by the secret. */
export function hasReferences({ variables }: ResolvedEnvironment): boolean {
  for (const { reference } of variables.values()) if (reference !== undefined) return true
  return false
}

/** Returns an environment's level, which it may inherit from a parent. */
export const levelOf = (chain: readonly Environment[]): Level =>
  chain.find(({ level }) => level !== undefined)?.level ?? "local"

interface Scope {
  readonly files: EnvironmentFiles
  readonly name: string
  readonly chain: readonly Environment[]
  readonly overrides: ReadonlyMap<string, string>
  readonly process: ProcessEnvironment
  readonly isProcessEmpty: boolean
  readonly problems: Problem[]
}

/** The source of a variable. `value` is absent if it is `null` or has the wrong type (`broken`). */
type Hit = Omit<ResolvedVariable, "name" | "declaration"> & { readonly broken?: boolean }

function resolveVariable(scope: Scope, name: string, declaration: VariableDeclaration): ResolvedVariable {
  const { broken, ...hit } =
    givenByCaller(scope, name, declaration) ??
    givenByFiles(scope, name, declaration) ??
    byDefault(scope, declaration)
  const isMissing = hit.value === undefined || hit.value === ""
  if (declaration.required && isMissing && broken !== true)
    scope.problems.push(missing(scope, name, declaration))
  // Only values in files can be references, because they are the ones that others read.
  const isInFile = hit.from === "secrets" || hit.from === "values" || hit.from === "default"
  const reference = isInFile ? secretReference(declaration, hit.value) : undefined
  return reference === undefined ? { name, declaration, ...hit } : { name, declaration, ...hit, reference }
}

function givenByCaller(scope: Scope, name: string, declaration: VariableDeclaration): Hit | undefined {
  const override = scope.overrides.get(name)
  if (override === undefined && scope.isProcessEmpty) return undefined
  const variable = processVariableName(scope.files.api, name)
  const text = override ?? readProcessVariable(scope.process, variable)
  if (text === undefined) return undefined
  const from = override === undefined ? "process" : "override"
  const value = coerceText(text, declaration.type)
  if (value !== undefined) return { from, value }
  const source =
    override === undefined ? `the environment variable ${variable}` : `--var ${scope.files.api}.${name}`
  scope.problems.push(toProblem(messages["variable-type"].given(source, name, declaration.type)))
  return { from, broken: true }
}

function givenByFiles({ chain }: Scope, name: string, { type }: VariableDeclaration): Hit | undefined {
  for (const { name: environment, secrets, secretsFile, values, valueFile } of chain) {
    const text = secrets.get(name)
    if (text !== undefined && secretsFile !== undefined) {
      const value = coerceText(text, type)
      const { file } = secretsFile
      return { from: "secrets", environment, file, value, broken: value === undefined && text !== "" }
    }
    const given = values.get(name)
    if (given !== undefined) {
      const value = isOfType(given, type) ? given : undefined
      const { file } = valueFile
      return { from: "values", environment, file, value, broken: value === undefined && given !== null }
    }
  }
  return undefined
}

function byDefault({ files }: Scope, declaration: VariableDeclaration): Hit {
  const value = declaration.default
  if (value === undefined) return { from: "none" }
  return { from: "default", file: files.schemaFile?.file, value: value ?? undefined }
}

function missing(scope: Scope, name: string, declaration: VariableDeclaration): Problem {
  const { files, chain, process } = scope
  const folder = `apis/${files.api}/environments`
  const isSecret = declaration.secret === true
  const file = isSecret
    ? `${folder}/${scope.name}.secrets.env`
    : (chain[0]?.valueFile.file ?? `${folder}/${scope.name}.json`)
  const finding = messages["variable-missing"].missing({
    name,
    isSecret,
    api: files.api,
    environment: scope.name,
    file,
    processVariable: processVariableName(files.api, name),
    nearMiss: nearMiss(process, files.api, name),
  })
  return toProblem(finding, file)
}

const undeclaredOverrides = (files: EnvironmentFiles, overrides: Scope["overrides"]): readonly Problem[] =>
  [...overrides.keys()]
    .filter((name) => !files.variables.has(name))
    .map((name) =>
      toProblem(
        messages["variable-undeclared"].override(files.api, name, suggest(name, files.variables.keys())),
      ),
    )

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

const PROCESS_PREFIX = "CALLSHEET_VAR__"

/** Returns the process variable for a variable: `HTTPPort` of `shop-eu` is `CALLSHEET_VAR__SHOP_EU__HTTP_PORT`. */
export const processVariableName = (api: string, variable: string): string =>
  `${PROCESS_PREFIX}${upperSnake(api)}__${upperSnake(variable)}`

const upperSnake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replaceAll(/[-.]/g, "_")
    .toUpperCase()

/** Reads a process variable. An empty one counts as not set. */
function readProcessVariable(environment: ProcessEnvironment, name: string): string | undefined {
  const text = ownOf(environment, name)
  return text === "" ? undefined : text
}

/** True if no process variables exist. Callers then don't build their names. */
const isEmptyProcess = (environment: ProcessEnvironment): boolean => Object.keys(environment).length === 0

/** Reports each process variable that several declared variables would read. */
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

/** Returns whether a process variable sets a variable of any environment. */
export const isSetByProcess = (environment: ProcessEnvironment, api: string, variable: string): boolean =>
  readProcessVariable(environment, processVariableName(api, variable)) !== undefined

/** Returns whether there are process variables that might match no declared variable. */
export const hasProcessVariables = (environment: ProcessEnvironment): boolean =>
  Object.keys(environment).some((name) => name.startsWith(PROCESS_PREFIX))

/** Warns about process variables that no declared variable reads. `apis` are all APIs of the project. */
export function unreadProcessVariables(
  apis: Iterable<EnvironmentFiles>,
  environment: ProcessEnvironment,
): readonly Problem[] {
  const names = Object.keys(environment).filter(
    (name) => name.startsWith(PROCESS_PREFIX) && readProcessVariable(environment, name) !== undefined,
  )
  if (names.length === 0) return []
  const known = new Set<string>()
  for (const { api, variables, declared } of apis) {
    // Any name may be declared in a schema that can't be read.
    if (declared === undefined) {
      const prefix = processVariableName(api, "")
      for (const name of names) if (name.startsWith(prefix)) known.add(name)
    }
    for (const variable of variables.keys()) known.add(processVariableName(api, variable))
  }
  return names
    .filter((name) => !known.has(name))
    .map((name) => toProblem(messages["variable-undeclared"].process(name, suggest(name, known))))
}

/** Finds a process variable that was probably meant for `variable`, because the names differ only in underscores. */
function nearMiss(environment: ProcessEnvironment, api: string, variable: string): string | undefined {
  const wanted = processVariableName(api, variable)
  const bare = wanted.replaceAll("_", "")
  return Object.keys(environment).find(
    (name) =>
      name !== wanted && name.startsWith("CALLSHEET_VAR") && name.toUpperCase().replaceAll("_", "") === bare,
  )
}
