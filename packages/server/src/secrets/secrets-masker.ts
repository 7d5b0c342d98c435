// Masks the values that no answer may show: secrets in files and process variables, and credentials in URLs.

import { createMasker, type Masker as EngineMasker } from "@callsheet/engine"
import {
  isJsonArray,
  isJsonObject,
  processVariableName,
  urlCredentials,
  type Api,
  type EnvironmentFiles,
  type JsonValue,
  type VariableDeclaration,
  ownOf,
} from "@callsheet/format"

interface HoldsSecrets {
  readonly apis: ReadonlyMap<string, Pick<Api, "environments">>
}

type ProcessEnvironment = Readonly<Record<string, string | undefined>>

export type Masker = Omit<EngineMasker, "knows" | "learn" | "body">

const asItIs = <T>(shown: T): T => shown

export const noSecrets: Masker = {
  text: asItIs,
  name: asItIs,
  url: asItIs,
  header: asItIs,
  value: asItIs,
  occursIn: () => false,
}

export const createSecretsMasker = (project: HoldsSecrets, processEnvironment: ProcessEnvironment): Masker =>
  maskerOf(allSecrets(project, processEnvironment))

export function createNewSecretsMasker(
  { before, after }: { readonly before: HoldsSecrets; readonly after: HoldsSecrets },
  processEnvironment: ProcessEnvironment,
): Masker {
  const secrets = allSecrets(after, processEnvironment)
  for (const known of allSecrets(before, processEnvironment)) secrets.delete(known)
  return maskerOf(secrets)
}

type SecretValue = string | number | bigint | boolean

function allSecrets(project: HoldsSecrets, processEnvironment: ProcessEnvironment): Set<SecretValue> {
  const secrets = new Set<SecretValue>()
  for (const { environments } of project.apis.values()) {
    for (const value of secretsOf(environments, processEnvironment)) secrets.add(value)
  }
  return secrets
}

const maskerOf = (secrets: ReadonlySet<SecretValue>): Masker =>
  secrets.size === 0 ? noSecrets : createMasker(secrets)

/** Yields the values of secrets from every file that contains them, even from files that shouldn't. */
function* secretsOf(files: EnvironmentFiles, processEnvironment: ProcessEnvironment): Generator<SecretValue> {
  const { api, environments, variables } = files
  const names = [...variables].filter(([, { secret }]) => secret === true)
  for (const { secrets } of environments.values()) yield* secrets.values()
  for (const [name, declaration] of names) {
    const given = ownOf(processEnvironment, processVariableName(api, name))
    if (given !== undefined) yield given
    if (declaration.default !== undefined && declaration.default !== null) yield declaration.default
    for (const { values } of environments.values()) {
      const value = values.get(name)
      if (value !== undefined && value !== null && !isJsonArray(value) && !isJsonObject(value)) yield value
    }
  }
  for (const text of textsOf(files, processEnvironment)) yield* urlCredentials(text)
}

/** Yields the string values of all variables, because credentials in a URL are always secret. */
function* textsOf(files: EnvironmentFiles, processEnvironment: ProcessEnvironment): Generator<string> {
  const { api, environments, variables } = files
  const values: (JsonValue | undefined)[] = []
  for (const [name, declaration] of variables)
    values.push(declaration.default, ownOf(processEnvironment, processVariableName(api, name)))
  for (const environment of environments.values())
    values.push(...environment.values.values(), ...environment.secrets.values())
  for (const value of values) if (typeof value === "string") yield value
}

export interface NewSecrets {
  readonly masker: Masker
  readonly variablesOf: (api: string) => ReadonlyMap<string, VariableDeclaration> | undefined
}

export interface KeptOutside {
  /** Returns notes about stored contents that contain such a value, and about how `hide` changes them. */
  readonly notes: (secrets: NewSecrets) => Promise<readonly string[]>
  readonly hide: (secrets: NewSecrets) => Promise<void>
}
