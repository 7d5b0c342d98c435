// Implements `env rename` and `env delete`: changes all files that name an environment, or none.

import { CallsheetError, setJsonAt, toProblem, type EnvironmentFiles } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Changed, WriteOptions } from "../write/change-project.ts"
import { isInTheWay, replaceStep, type ChangeStep } from "../write/ready-step.ts"
import { ChangedMeanwhile } from "../write/write-failed.ts"
import { locateEntry, readForEdit, type WriteScope } from "../write/write-scope.ts"
import {
  changeEnvironment,
  problemsThatHide,
  readBothForEdit,
  requireEnvironment,
  requireFreeName,
  requireSeen,
  secretsFile,
  valueFile,
  type EnvironmentRequest,
} from "./environment-files.ts"

interface RenameEnvironmentRequest extends EnvironmentRequest {
  readonly to: string
}

/** Deletes an environment. Throws `env-missing`, `env-in-use` if another one extends or may extend it, and `file-changed`. */
export const deleteEnvironment = (
  request: EnvironmentRequest,
  options: WriteOptions = {},
): Promise<Changed> =>
  changeEnvironment(request, options, (scope, files) => {
    const { api, environment, seen } = request
    requireEnvironment(files, environment)
    requireUnused(files, environment)
    if (seen !== undefined) requireSeen(seen, readBothForEdit(scope, api, environment))
    // Delete the secrets file first, so that an interrupted delete doesn't leave a hidden secret.
    const steps = [secretsFile(api, environment), valueFile(api, environment)]
      .filter((file) => locateEntry(scope, file).stats !== undefined)
      .map((file): ChangeStep => ({ do: "remove", file }))
    const title = `delete the environment "${environment}" of the API "${api}"`
    return { change: { title, steps }, result: {} }
  })

function requireUnused(files: EnvironmentFiles, environment: string): void {
  const others = [...files.environments.values()].filter(({ name }) => name !== environment)
  const children = others.filter((other) => other.extends === environment).map(({ name }) => name)
  if (children.length > 0) throw new CallsheetError(messages["env-in-use"].extended(environment, children))
  requireReadable(files, environment, "delete")
}

function requireReadable(files: EnvironmentFiles, environment: string, change: "delete" | "rename"): void {
  const broken = [...files.environments.values()]
    .filter(({ name }) => name !== environment)
    .map(({ name, valueFile }) => ({ name, problems: problemsThatHide(files, valueFile.file) }))
    .filter(({ problems }) => problems.length > 0)
  if (broken.length === 0) return
  const finding = messages["env-in-use"].unreadable(
    environment,
    change,
    broken.map(({ name }) => name),
  )
  throw new CallsheetError(finding, {
    problems: [toProblem(finding), ...broken.flatMap(({ problems }) => problems)],
  })
}

/** Renames an environment. Throws `env-missing`, `env-name`, `env-exists`, `env-in-use` and `file-changed`. */
export const renameEnvironment = (
  request: RenameEnvironmentRequest,
  options: WriteOptions = {},
): Promise<Changed & { readonly fixed: readonly string[] }> =>
  changeEnvironment(request, options, (scope, files) => {
    const { api, environment, to, seen } = request
    requireEnvironment(files, environment)
    requireFreeName(files, to, environment === to ? undefined : environment)
    requireReadable(files, environment, "rename")
    if (seen !== undefined) requireSeen(seen, readBothForEdit(scope, api, environment))
    const children = [...files.environments.values()].filter(
      (other) => other.extends === environment && other.name !== environment,
    )
    const steps = [
      ...children.map((child) => extend(scope, child.valueFile.file, to)),
      ...moves(scope, request),
    ]
    const title = `rename the environment "${environment}" of the API "${api}" to "${to}"`
    return {
      change: { title, steps },
      result: { api, environment, to, fixed: children.map(({ name }) => name) },
    }
  })

function extend(scope: WriteScope, file: string, to: string): ChangeStep {
  const before = readForEdit(scope, file)
  const edited = setJsonAt(before.text ?? "", ["extends"], to)
  if (!edited.ok) throw new ChangedMeanwhile(file)
  return replaceStep(before, edited.text)
}

function moves(scope: WriteScope, { api, environment, to }: RenameEnvironmentRequest): readonly ChangeStep[] {
  const pairs = [secretsFile, valueFile].map((fileOf) => ({
    file: fileOf(api, environment),
    to: fileOf(api, to),
  }))
  // The new name must not match an orphaned secrets file.
  for (const pair of pairs) {
    if (isInTheWay(scope, pair.file, pair.to)) throw new CallsheetError(messages["env-exists"].file(pair.to))
  }
  return pairs
    .filter((pair) => locateEntry(scope, pair.file).stats !== undefined)
    .map((pair): ChangeStep => ({ do: "move", ...pair }))
}
