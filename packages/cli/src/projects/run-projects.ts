// `run --project 'services/*'`: runs the selection in every project that matches, with one report and one shard plan.

import { CallsheetError } from "@callsheet/format"
import { listApiNames, openProject, recoverProject } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import { planShards, type Shard } from "../args/shard.ts"
import type { RunRequest } from "../commands/read-run-options.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { messages, notices } from "../messages.ts"
import { reportRecovery } from "../open-root.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { runSessions, type ReadRun } from "../session/run-sessions.ts"
import { printable } from "../text/printable.ts"
import { findProjects, type FoundProject } from "./find-projects.ts"
import { SessionJoin } from "./join-sessions.ts"

/** What is asked of one project. */
interface ProjectCall {
  readonly given: RunRequest
  readonly root: string
}

/** How a command runs one project. */
export interface ProjectSteps {
  readonly read: (asked: ProjectCall, shard?: Shard) => Promise<ReadSession>
  readonly prepare: (
    asked: ProjectCall,
    read: Pick<ReadRun, "shard" | "readAt"> & { readonly session: ReadSession },
  ) => Promise<ReadRun>
}

interface SelectedProject extends FoundProject {
  readonly asked: ProjectCall
  readonly session: ReadSession
  readonly readAt: number
}

/** Returns the exit code. Throws `project-missing`, and the error of a project whose files can't be read. */
export async function runProjects(
  call: CommandCall,
  { given, pattern, watch }: { given: RunRequest; pattern: string; watch: LeakWatch | undefined },
  steps: ProjectSteps,
): Promise<number> {
  for (const option of ["watch", "list"])
    if (call.options.has(option)) throw new CallsheetError(messages.usage.oneProject(`--${option}`))
  const found = findProjects(call.cwd, pattern)
  const join = new SessionJoin(call.cwd, found)
  const selected = await selectProjects(call, { found, given, join }, steps)
  const runs = await prepareAll(call, { given, join, selected }, steps)
  const [first, ...others] = runs
  if (first === undefined) throw new Error("at least one project is selected")
  return runSessions([first, ...others], call, { watch, join })
}

/** Reads every project. Leaves out those without the workflow or the suite, unless no project has it. */
async function selectProjects(
  call: CommandCall,
  { found, given, join }: { found: readonly FoundProject[]; given: RunRequest; join: SessionJoin },
  { read }: ProjectSteps,
): Promise<readonly SelectedProject[]> {
  const { err } = call.screen
  const selected: SelectedProject[] = []
  const absent: { readonly project: FoundProject; readonly error: CallsheetError }[] = []
  const requestOf = createRequestOf(given, found)
  for (const project of found) {
    const { root } = project
    try {
      reportRecovery(await recoverProject(root), err)
      const asked = { given: requestOf(root), root }
      const readAt = Date.now()
      selected.push({ ...project, asked, readAt, session: await read(asked) })
    } catch (error) {
      if (!isAbsence(error, given)) throw join.placeError(root, error)
      absent.push({ project, error })
    }
  }
  const [first] = absent
  if (selected.length === 0 && first !== undefined) throw join.placeError(first.project.root, first.error)
  for (const { project, error } of absent)
    err.write(`${printable(notices.projectSkipped(project.name, error.message))}\n`)
  return selected
}

/** Returns whether an error only means that the project has nothing of what was asked for. */
function isAbsence(error: unknown, { selection }: RunRequest): error is CallsheetError {
  if (!(error instanceof CallsheetError)) return false
  const { code } = error
  return code === "workflow-unknown" || code === "suite-unknown" || (code === "usage" && selection.lastFailed)
}

/** Limits options that name an API to the projects that have it. Any project may report one that none has. */
function createRequestOf(given: RunRequest, found: readonly FoundProject[]): (root: string) => RunRequest {
  const apis = new Map(found.map(({ root }) => [root, new Set(listApiNames(openProject(root)))]))
  const all = new Set([...apis.values()].flatMap((names) => [...names]))
  return (root) => {
    const isFor = (api: string): boolean => apis.get(root)?.has(api) === true || !all.has(api)
    const { environments } = given.session
    const own = environments && Object.entries(environments).filter(([api]) => isFor(api))
    return {
      ...given,
      // A report of all projects is none of a single one.
      hasReporters: true,
      variables: given.variables.filter(({ api }) => isFor(api)),
      session: { ...given.session, environments: own && Object.fromEntries(own) },
    }
  }
}

async function prepareAll(
  call: CommandCall,
  { given, join, selected }: { given: RunRequest; join: SessionJoin; selected: readonly SelectedProject[] },
  { read, prepare }: ProjectSteps,
): Promise<readonly ReadRun[]> {
  const names = ({ schedule, workflows }: ReadSession): readonly string[] =>
    schedule?.main.map(({ name }) => name) ?? workflows
  const shards =
    given.shard &&
    (await planShards(
      given.shard,
      selected.map(({ name, session }) => [name, names(session)]),
    ))
  const runs: ReadRun[] = []
  for (const { name, root, asked, ...before } of selected) {
    const shard = shards?.get(name)
    try {
      const session = shard === undefined ? before.session : await read(asked, shard)
      runs.push(await prepare(asked, { ...before, session, shard }))
    } catch (error) {
      throw join.placeError(root, error)
    }
  }
  const [shard] = shards?.values() ?? []
  if (
    shard !== undefined &&
    !runs.some(({ schedule, workflows }) => (schedule?.main ?? workflows).length > 0)
  )
    call.screen.err.write(`${notices.shardEmpty(shard.index, shard.count)}\n`)
  return runs
}
