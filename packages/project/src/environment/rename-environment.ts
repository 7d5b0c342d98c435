// `env rename`: gives an environment another name, everywhere it stands or nowhere.

import { CallsheetError, setJsonKey, type EnvironmentFiles } from "@callsheet/format"
import type { ChangeStep } from "../write/ready-step.ts"
import { isInTheWay } from "../write/ready-step.ts"
import { ChangedMeanwhile } from "../write/changed-meanwhile.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { locateEntry, type WriteScope } from "../write/write-scope.ts"
import { requireReadable } from "./delete-environment.ts"
import { readForEdit } from "./read-for-edit.ts"
import { readBothForEdit, requireSeen, type SeenEnvironment } from "./seen-environment.ts"
import {
  environmentsFolder,
  readEnvironmentsOf,
  requireEnvironment,
  requireFreeName,
  secretsFile,
  valueFile,
} from "./environment-files.ts"

interface RenameEnvironmentRequest {
  readonly root: string
  readonly api: string
  readonly environment: string
  readonly to: string
  /** What the caller has seen of the two files. Left out, they are moved whatever they say now. */
  readonly seen?: SeenEnvironment
}

interface RenamedEnvironment extends Changed {
  readonly api: string
  readonly environment: string
  readonly to: string
  /** Environments whose `extends` was mended. */
  readonly mended: readonly string[]
}

/**
 * Moves both files and mends every `extends` of the API that names the environment. Throws `env-missing`, `env-name`,
 * `env-exists`, `env-in-use` where another environment cannot be read and so may extend it, and `file-changed` where a file is
 * no longer what the caller has seen.
 */
export async function renameEnvironment(
  { root, api, environment, to, seen }: RenameEnvironmentRequest,
  options: WriteOptions = {},
): Promise<RenamedEnvironment> {
  return changeProject(
    {
      root,
      folders: [".", environmentsFolder(api)],
      plan: (scope) => {
        const files = readEnvironmentsOf(scope.project, api)
        requireEnvironment(files, environment)
        requireFreeName(files, to, environment === to ? undefined : environment)
        requireReadable(files, environment, "renamed")
        if (seen !== undefined) requireSeen(seen, readBothForEdit(scope, api, environment))
        const children = [...files.environments.values()].filter(
          (other) => other.extends === environment && other.name !== environment,
        )
        const steps = [
          ...children.map((child) => mend(scope, child.valueFile.file, to)),
          ...moves(scope, files, { environment, to }),
        ]
        const title = `rename the environment "${environment}" of the API "${api}" to "${to}"`
        const mended = children.map(({ name }) => name)
        return { change: { title, steps }, result: { api, environment, to, mended } }
      },
    },
    options,
  )
}

function mend(scope: WriteScope, file: string, to: string): ChangeStep {
  const { bytes: before, text } = readForEdit(scope, file)
  const edited = setJsonKey(text ?? "", ["extends"], to)
  // It was read as an environment a moment ago.
  if (!edited.ok) throw new ChangedMeanwhile(file)
  return { do: "replace", file, bytes: new TextEncoder().encode(edited.text), before, isSecret: false }
}

function moves(
  scope: WriteScope,
  { api }: EnvironmentFiles,
  { environment, to }: { environment: string; to: string },
): readonly ChangeStep[] {
  const pairs = [secretsFile, valueFile].map((fileOf) => ({
    file: fileOf(api, environment),
    to: fileOf(api, to),
  }))
  // A secrets file without an environment would be taken for that of the renamed one.
  for (const pair of pairs) {
    if (!isInTheWay(scope, pair.file, pair.to)) continue
    throw new CallsheetError("env-exists", `${JSON.stringify(pair.to)} is there already`, {
      hint: "move or remove that file first",
    })
  }
  return pairs
    .filter((pair) => locateEntry(scope, pair.file).stats !== undefined)
    .map((pair): ChangeStep => ({ do: "move", ...pair }))
}
