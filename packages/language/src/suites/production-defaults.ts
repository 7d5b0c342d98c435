// Finds production environments among the defaults of `callsheet.json`. Apart from other checks, because a run loads it.

import { type Api, extendsChain, levelOf, type Problem, type SettingsFile } from "@callsheet/format"
import { messages } from "../messages.ts"
import { reportTo } from "../names/scripts.ts"

/** Returns the problem of each production environment in `defaults`, which a run must not start with. */
export function productionDefaults(
  file: SettingsFile,
  apis: ReadonlyMap<string, Pick<Api, "environments">>,
): readonly Problem[] {
  const problems: Problem[] = []
  const report = reportTo(file, (problem) => void problems.push(problem))
  for (const [api, name] of Object.entries(file.settings?.defaults?.env ?? {})) {
    const environments = apis.get(api)?.environments.environments
    if (environments === undefined || levelOf(extendsChain(environments, name)) !== "production") continue
    report(["defaults", "env", api], "value", messages["field-value"].productionDefault(api, name))
  }
  return problems
}
