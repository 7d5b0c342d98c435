// The name of an API that a user wrote, checked before any path is built from it.

import { CallsheetError, suggest } from "@callsheet/format"
import { listApiNames, type ProjectFolder } from "@callsheet/project"

/** Returns `api` if the project has it; throws `api-unknown`. */
export function knownApi(project: ProjectFolder, api: string): string {
  const names = listApiNames(project)
  if (names.includes(api)) return api
  throw new CallsheetError("api-unknown", `there is no API ${JSON.stringify(api)}`, {
    hint:
      suggest(api, names) ??
      (names.length === 0 ? "the project has none" : `the project has ${names.join(", ")}`),
  })
}
