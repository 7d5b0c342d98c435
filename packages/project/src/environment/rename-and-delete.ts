// `env rename` and `env delete`: everywhere an environment stands, or nowhere.

import { CallsheetError, setJsonAt, type EnvironmentFiles, type Problem } from "@callsheet/format"
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

/** Throws `env-missing`, `env-in-use` if another environment extends it or may, and `file-changed`. */
export const deleteEnvironment = (
  request: EnvironmentRequest,
  options: WriteOptions = {},
): Promise<Changed> =>
  changeEnvironment(request, options, (scope, files) => {
    const { api, environment, seen } = request
    requireEnvironment(files, environment)
    requireUnused(files, environment)
    if (seen !== undefined) requireSeen(seen, readBothForEdit(scope, api, environment))
    // The secrets go first: what is left of a delete must not be a secret that nothing shows.
    const steps = [secretsFile(api, environment), valueFile(api, environment)]
      .filter((file) => locateEntry(scope, file).stats !== undefined)
      .map((file): ChangeStep => ({ do: "remove", file }))
    const title = `delete the environment "${environment}" of the API "${api}"`
    return { change: { title, steps }, result: {} }
  })

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

function requireReadable(files: EnvironmentFiles, environment: string, what: string): void {
  const broken = [...files.environments.values()]
    .filter(({ name }) => name !== environment)
    .flatMap((other) => problemsThatHide(files, other.valueFile.file))
  if (broken.length === 0) return
  const message = `the environment "${environment}" cannot be ${what}: another one that may extend it cannot be read`
  const problem: Problem = { code: "env-in-use", severity: "error", message }
  throw new CallsheetError("env-in-use", message, { problems: [problem, ...broken] })
}

/** Throws `env-missing`, `env-name`, `env-exists`, `env-in-use` if an unreadable environment may extend it, and `file-changed`. */
export const renameEnvironment = (
  request: RenameEnvironmentRequest,
  options: WriteOptions = {},
): Promise<Changed & { readonly fixed: readonly string[] }> =>
  changeEnvironment(request, options, (scope, files) => {
    const { api, environment, to, seen } = request
    requireEnvironment(files, environment)
    requireFreeName(files, to, environment === to ? undefined : environment)
    requireReadable(files, environment, "renamed")
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
