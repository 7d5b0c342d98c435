// What must not be seen in any answer: every value of a secret that the project's files, or the process, hold.

import type { Masker } from "@callsheet/engine"
import {
  isJsonArray,
  isJsonObject,
  processVariableName,
  type Api,
  type EnvironmentFiles,
} from "@callsheet/format"

/** What holds secrets: a project, or the environments of its APIs alone. */
interface HoldsSecrets {
  readonly apis: ReadonlyMap<string, Pick<Api, "environments">>
}

type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** Undefined where there are no secrets: then nothing has to be loaded that could mask them. */
export async function createSecretsMasker(
  project: HoldsSecrets,
  processEnvironment: ProcessEnvironment,
): Promise<Masker | undefined> {
  const secrets = new Set<string | number | bigint | boolean>()
  for (const { environments } of project.apis.values()) {
    for (const value of secretsOf(environments, processEnvironment)) secrets.add(value)
  }
  if (secrets.size === 0) return undefined
  const { createMasker } = await import("./loaded-late.ts")
  return createMasker(secrets)
}

/** Values of a secret where they may be, and where they may not; whether they are of its type does not matter. */
function* secretsOf(
  { api, environments, variables }: EnvironmentFiles,
  processEnvironment: ProcessEnvironment,
): Generator<string | number | bigint | boolean> {
  const names = [...variables].filter(([, { secret }]) => secret === true)
  for (const { secrets } of environments.values()) yield* secrets.values()
  for (const [name, declaration] of names) {
    const given = processEnvironment[processVariableName(api, name)]
    if (given !== undefined) yield given
    if (declaration.default !== undefined && declaration.default !== null) yield declaration.default
    for (const { values } of environments.values()) {
      const value = values.get(name)
      if (value !== undefined && value !== null && !isJsonArray(value) && !isJsonObject(value)) yield value
    }
  }
}
