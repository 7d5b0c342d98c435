// `env delete`: removes an environment, both files or none.

import { CallsheetError, type EnvironmentFiles, type Problem } from "@callsheet/format"
import type { ChangeStep } from "../write/ready-step.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { locateEntry } from "../write/write-scope.ts"
import { readBothForEdit, requireSeen, type SeenEnvironment } from "./seen-environment.ts"
import {
  environmentsFolder,
  problemsThatHide,
  readEnvironmentsOf,
  requireEnvironment,
  secretsFile,
  valueFile,
} from "./environment-files.ts"

interface DeleteEnvironmentRequest {
  readonly root: string
  readonly api: string
  readonly environment: string
  /** What the caller has seen of the two files. Left out, they are deleted whatever they say now. */
  readonly seen?: SeenEnvironment
}

interface DeletedEnvironment extends Changed {
  readonly api: string
  readonly environment: string
}

/**
 * Deletes the value file and the secrets file. Throws `env-missing`, and `env-in-use` while other environments extend it or
 * where one cannot be read and so may; `file-changed` where a file is no longer what the caller has seen.
 */
export async function deleteEnvironment(
  { root, api, environment, seen }: DeleteEnvironmentRequest,
  options: WriteOptions = {},
): Promise<DeletedEnvironment> {
  return changeProject(
    {
      root,
      folders: [".", environmentsFolder(api)],
      plan: (scope) => {
        const files = readEnvironmentsOf(scope.project, api)
        requireEnvironment(files, environment)
        requireUnused(files, environment)
        if (seen !== undefined) requireSeen(seen, readBothForEdit(scope, api, environment))
        // The secrets go first: what is left of a delete must not be a secret that nothing shows.
        const steps = [secretsFile(api, environment), valueFile(api, environment)]
          .filter((file) => locateEntry(scope, file).stats !== undefined)
          .map((file): ChangeStep => ({ do: "remove", file }))
        const title = `delete the environment "${environment}" of the API "${api}"`
        return { change: { title, steps }, result: { api, environment } }
      },
    },
    options,
  )
}

function requireUnused(files: EnvironmentFiles, environment: string): void {
  const others = [...files.environments.values()].filter(({ name }) => name !== environment)
  const users = others.filter((other) => other.extends === environment).map(({ name }) => name)
  if (users.length > 0) {
    const verb = users.length === 1 ? "extends" : "extend"
    throw new CallsheetError(
      "env-in-use",
      `the environment "${environment}" cannot be deleted: ${users.map((name) => `"${name}"`).join(", ")} ${verb} it`,
      { hint: "let them extend another one, or none: callsheet env write, --extends or --no-extends" },
    )
  }
  requireReadable(files, environment, "deleted")
}

/** Throws `env-in-use` where another environment cannot be read, and so may extend this one. */
export function requireReadable(files: EnvironmentFiles, environment: string, what: string): void {
  const broken = [...files.environments.values()]
    .filter(({ name }) => name !== environment)
    .flatMap((other) => problemsThatHide(files, other.valueFile.file))
  if (broken.length === 0) return
  const message = `the environment "${environment}" cannot be ${what}: another one that may extend it cannot be read`
  const problem: Problem = { code: "env-in-use", severity: "error", message }
  throw new CallsheetError("env-in-use", message, { problems: [problem, ...broken] })
}
