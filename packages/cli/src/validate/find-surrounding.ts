// Finds the problems around a project's files: with git, stored files, reporters and process variables.

import { asError } from "@callsheet/language"
import {
  hasProcessVariables,
  unreadProcessVariables,
  type EnvironmentFiles,
  type Problem,
  type ProcessEnvironment,
  type Project,
} from "@callsheet/format"
import { hasSnapshots, readAllEnvironments } from "@callsheet/project"

interface Surrounding {
  readonly environment: ProcessEnvironment
  /** True if all workflows were read, so that files of none of them are unused. */
  readonly isWhole: boolean
  /** False where no setting of the repository may have an effect, so git isn't asked. */
  readonly asksGit?: boolean
  /** True if process variables may be those of other projects. */
  readonly isOneOfSeveral?: boolean
}

export async function findSurrounding(
  project: Project,
  { environment, isWhole, asksGit = true, isOneOfSeveral = false }: Surrounding,
): Promise<readonly Problem[]> {
  return [
    ...(await checkReporters(project)),
    ...(await checkStored(project, isWhole)),
    ...(asksGit ? await exposedSecrets(project, environment) : []).map(asError),
    ...(isOneOfSeveral ? [] : findUnread(environment, () => readAllEnvironments(project))),
  ]
}

/** Returns the problems of process variables that no environment reads. Reads the environments only if there are any. */
export const findUnread = (
  environment: ProcessEnvironment,
  read: () => readonly EnvironmentFiles[],
): readonly Problem[] => (hasProcessVariables(environment) ? unreadProcessVariables(read(), environment) : [])

/** Returns the problems of secrets files that git tracks or doesn't ignore. */
async function exposedSecrets(
  { root, apis }: Project,
  processEnvironment: ProcessEnvironment,
): Promise<readonly Problem[]> {
  const files = [...apis.values()].flatMap(({ environments: { environments, problems } }) => [
    ...[...environments.values()].flatMap(({ secretsFile }) => secretsFile?.file ?? []),
    // A secrets file without an environment has a problem.
    ...problems.flatMap(({ file }) => (file?.endsWith(".secrets.env") === true ? [file] : [])),
  ])
  if (files.length === 0) return []
  const { findExposedSecrets } = await import("@callsheet/engine")
  return findExposedSecrets([...new Set(files)], { root, processEnvironment })
}

async function checkReporters(project: Project): Promise<readonly Problem[]> {
  if (project.settingsFile === undefined) return []
  const { checkReporterFiles } = await import("../reporters/own-files.ts")
  return checkReporterFiles(project)
}

async function checkStored(project: Project, isWhole: boolean): Promise<readonly Problem[]> {
  if (!hasSnapshots(project.root)) return []
  const { checkSnapshots } = await import("../snapshots/check-snapshots.ts")
  return checkSnapshots(project, isWhole)
}
