// The environments of one API, and what must be masked in them: the secrets of all APIs.

import type { Masker } from "@callsheet/engine"
import { CallsheetError, suggest, type Api, type EnvironmentFiles } from "@callsheet/format"
import { listApiNames, openProject, readEnvironments } from "@callsheet/project"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { createSecretsMasker } from "../secrets/secrets-masker.ts"

export interface ReadEnvironments {
  readonly files: EnvironmentFiles
  readonly masker: Masker | undefined
}

/** Throws `api-unknown`. */
export async function readAllEnvironments(
  root: string,
  api: string,
  processEnvironment: Readonly<Record<string, string | undefined>>,
): Promise<ReadEnvironments> {
  const apis = withoutOutsidePaths(() => readThem(root))
  const files = apis.get(api)?.environments
  if (files === undefined) {
    const hint = suggest(api, apis.keys())
    throw new CallsheetError("api-unknown", `there is no API ${JSON.stringify(api)}`, { hint })
  }
  return { files, masker: createSecretsMasker({ apis }, processEnvironment) }
}

function readThem(root: string): ReadonlyMap<string, Pick<Api, "environments">> {
  const project = openProject(root)
  return new Map(
    listApiNames(project).map((name) => [name, { environments: readEnvironments(project, name) }]),
  )
}
