// Finds the values of a project's secret variables in texts of its documents.

import { ANYWHERE_FROM, createSecretSearch } from "@callsheet/engine"
import {
  knownSecrets,
  processVariableName,
  type EnvironmentFiles,
  type ProcessEnvironment,
} from "@callsheet/format"
import type { FindSecrets } from "@callsheet/language"

/** Returns a function that finds secrets, in any encoding. Secrets that are short count only as whole texts. */
export function findingSecrets(
  environments: readonly EnvironmentFiles[],
  process: ProcessEnvironment,
): FindSecrets {
  const known = environments.flatMap((files) => {
    const { api, variables } = files
    const names = new Map([...variables.keys()].map((name) => [processVariableName(api, name), name]))
    return knownSecrets(files, process).map(({ name, value }) => {
      const variable = names.get(name) ?? name
      return { api, name: variables.has(variable) ? variable : undefined, value }
    })
  })
  if (known.length === 0) return () => []
  const search = createSecretSearch(known.map(({ value }) => value))
  const short = known.filter(({ value }) => value.length < ANYWHERE_FROM)
  return (text) => {
    const whole = short.find(({ value }) => value === text)
    if (whole !== undefined) return [{ ...whole, from: 0, to: text.length }]
    return search(text).flatMap(({ from, to, secret }) => {
      const found = known[secret]
      return found === undefined ? [] : [{ from, to, api: found.api, name: found.name }]
    })
  }
}
