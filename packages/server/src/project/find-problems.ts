// Finds the problems that `callsheet validate` reports. Doesn't block other calls.

import { withScripts } from "@callsheet/engine"
import type { Problem, Project } from "@callsheet/format"
import { validateProject, type CheckRows } from "@callsheet/language"
import { checkProjectFile, openRows, type ProjectWatch } from "@callsheet/project"
import type { ProblemsView } from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { turn, type Dated, type Revisions } from "./revisions.ts"
import { readAll, type KnownProject } from "./read-parts.ts"

interface ProblemSearch extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly scriptEntry: URL
  readonly revisions: Revisions
  readonly watch: Pick<ProjectWatch, "problems">
}

/** The maximum number of restarts. After that, a check is finished even if files change. */
const MAX_RESTARTS = 3

/** Finds problems. Starts again if files change. Scripts are parsed in a separate process and never run. */
export async function findProblems(search: ProblemSearch): Promise<Dated<ProblemsView>> {
  const { root, revisions, watch, overview } = search
  for (let restarts = 0; ; restarts++) {
    const { project: previous } = await overview()
    const { revision, value: project } = await revisions.read(() => readAll(root, previous))
    const isEnough = (): boolean =>
      revisions.isClosed() || (restarts < MAX_RESTARTS && revisions.current() !== revision)
    const found = await validate(search, project, isEnough)
    if (found === undefined && !revisions.isClosed()) continue
    const problems = maskProblems([...watch.problems(), ...(found ?? [])], (await overview()).masker)
    return { revision, value: { revision, problems } }
  }
}

/** Finds the problems of a project, not masked. */
export const findOwnProblems = async (
  search: Pick<ProblemSearch, "root" | "scriptEntry">,
  project: Project,
): Promise<readonly Problem[]> => (await validate(search, project, () => false)) ?? []

async function validate(
  { root, scriptEntry }: Pick<ProblemSearch, "root" | "scriptEntry">,
  project: Project,
  isEnough: () => boolean,
): Promise<readonly Problem[] | undefined> {
  const enough = new Error("enough")
  const giveWay = async (): Promise<void> => {
    await turn()
    if (isEnough()) throw enough
  }
  const checkFile = (path: string) => checkProjectFile(root, path)
  const checkRows: CheckRows = async (path, inputs) => (await openRows(root, { path }).check(inputs)).problems
  return withScripts({ root, scriptEntry }, (describe) =>
    validateProject({ project, describe, checkFile, checkRows, giveWay }),
  ).catch((error: unknown) => {
    if (error === enough) return undefined
    throw error
  })
}
