// Reads the snapshots of a project.

import { checkSnapshotFile, SNAPSHOTS, type Problem, type SnapshotFile } from "@callsheet/format"
import { listFolder, readText, type ProjectFolder } from "../read/project-folder.ts"
import { openProject } from "../read/read-project.ts"

/** The maximum size of a snapshot, which is kept in memory during a run. */
export const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024

export interface Snapshots {
  /** The files by path from the root, also broken ones. */
  readonly files: ReadonlyMap<string, SnapshotFile>
  readonly problems: readonly Problem[]
}

/** Reads the snapshots in the wanted directories. `isWanted` receives a directory's name. */
export function readSnapshots(root: string, isWanted: (folder: string) => boolean): Snapshots {
  const project = openProject(root)
  const files = new Map<string, SnapshotFile>()
  const problems: Problem[] = []
  const { entries, problem } = listFolder(project, SNAPSHOTS)
  if (problem !== undefined) problems.push(problem)
  for (const { name, file, kind } of entries)
    if (isWanted(name) && (kind === "folder" || kind === "outside"))
      problems.push(...readFolder(project, file, files))
  return { files, problems }
}

/** Returns whether the project has snapshots. */
export const hasSnapshots = (root: string): boolean =>
  listFolder(openProject(root), SNAPSHOTS).entries.length > 0

function readFolder(
  project: ProjectFolder,
  folder: string,
  files: Map<string, SnapshotFile>,
): readonly Problem[] {
  const { entries, problem } = listFolder(project, folder)
  const problems = problem === undefined ? [] : [problem]
  for (const entry of entries) {
    if (!entry.name.endsWith(".json")) continue
    const read = readText(entry, MAX_SNAPSHOT_BYTES)
    if (!read.ok) {
      problems.push(read.problem)
      continue
    }
    const checked = checkSnapshotFile(read.value)
    files.set(entry.file, checked)
    problems.push(...checked.problems)
  }
  return problems
}
