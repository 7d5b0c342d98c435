// `run --project 'services/*'`: runs the selection in every project that matches, with one report and one shard plan.

import { CallsheetError } from "@callsheet/format"
import { listApiNames, openProject } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import { planShards, type Shard } from "../args/shard.ts"
import type { ChangedSelection } from "../changes/changed-since.ts"
import type { RunRequest } from "../commands/read-run-options.ts"
import type { LeakWatch } from "../leaks/run-verified.ts"
import { messages, notices } from "../messages.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { runSessions, type ReadRun } from "../session/run-sessions.ts"
import { inEach, placeError, reportErrors } from "./each-project.ts"
import type { FoundProject } from "./find-projects.ts"
import { SessionJoin } from "./join-sessions.ts"
import { mainNames } from "../session/main-names.ts"

/** What is asked of one project. */
interface ProjectCall {
  readonly given: RunRequest
  readonly root: string
}

type SelectedSession = ReadSession & { readonly changed: ChangedSelection | undefined }

/** How a command runs one project. */
export interface ProjectSteps {
  readonly read: (asked: ProjectCall, shard?: Shard) => Promise<SelectedSession>
  readonly prepare: (
    asked: ProjectCall,
    read: Pick<ReadRun, "shard" | "readAt"> & { readonly session: ReadSession },
  ) => Promise<ReadRun>
}

interface SelectedProject extends FoundProject {
  readonly asked: ProjectCall
  readonly session: SelectedSession
  readonly readAt: number
  readonly shard: Shard | undefined
}

interface ProjectsCall {
  readonly given: RunRequest
  readonly found: readonly FoundProject[]
  readonly watch: LeakWatch | undefined
}

/** Returns the exit code. Throws the first error if no project can be read. */
export async function runProjects(
  call: CommandCall,
  { given, found, watch }: ProjectsCall,
  steps: ProjectSteps,
): Promise<number> {
  if (call.options.has("watch")) throw new CallsheetError(messages.usage.oneProject("--watch"))
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const selected = await divide(given, await selectProjects(call, { found, given, onError }, steps), steps)
  const isList = call.options.has("list")
  const runs = isList ? [] : await prepareAll(call, { given, selected, onError }, steps)
  const [first, ...others] = runs
  if (selected.length === 0 || (first === undefined && !isList)) throw errors[0]
  // One project that can't be read doesn't keep the others from running.
  reportErrors(errors, call)
  const isIncomplete = errors.length > 0
  if (first !== undefined)
    return runSessions([first, ...others], call, {
      watch,
      join: new SessionJoin(call.cwd, found),
      isIncomplete,
    })
  const { printSelections } = await import("../changes/print-selection.ts")
  printSelections(selected, call)
  return isIncomplete ? 2 : 0
}

/** Receives the error of a project that can't be read. It names the project. */
type OnError = (error: unknown) => void

/** Reads every project. Leaves out those without the workflow or the suite, unless no project has it. */
async function selectProjects(
  call: CommandCall,
  { found, given, onError }: Pick<ProjectsCall, "found" | "given"> & { readonly onError: OnError },
  { read }: ProjectSteps,
): Promise<readonly SelectedProject[]> {
  const requestOf = createRequestOf(given, found)
  const results = await inEach(call, found, {
    work: async ({ root, name }) => {
      const asked = { given: requestOf(root), root }
      const readAt = Date.now()
      const session = await read(asked)
      if (session.changed !== undefined) {
        const { sayChanged } = await import("../changes/print-selection.ts")
        sayChanged(session.changed, call, name)
      }
      return { asked, readAt, session, shard: undefined }
    },
    isAbsence: (error) => isAbsence(error, given),
    onError,
  })
  return results.map(({ project, value }) => ({ ...project, ...value }))
}

/** Returns whether an error only means that the project has nothing of what was asked for. */
function isAbsence({ code }: CallsheetError, { selection }: RunRequest): boolean {
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

/** Divides the selection of all projects by one plan, if the call asks for a shard. */
async function divide(
  { shard: part }: RunRequest,
  selected: readonly SelectedProject[],
  { read }: ProjectSteps,
): Promise<readonly SelectedProject[]> {
  if (part === undefined) return selected
  const shards = await planShards(
    part,
    selected.map(({ name, session }) => [name, mainNames(session)]),
  )
  const divided: SelectedProject[] = []
  for (const project of selected) {
    const shard = shards.get(project.name)
    divided.push({ ...project, shard, session: await read(project.asked, shard) })
  }
  return divided
}

async function prepareAll(
  call: CommandCall,
  { given, selected, onError }: { given: RunRequest; selected: readonly SelectedProject[]; onError: OnError },
  { prepare }: ProjectSteps,
): Promise<readonly ReadRun[]> {
  const runs: ReadRun[] = []
  for (const { name, asked, ...read } of selected) {
    try {
      runs.push(await prepare(asked, read))
    } catch (error) {
      onError(placeError(error, name))
    }
  }
  const { shard } = given
  if (shard !== undefined && !runs.some((run) => mainNames(run).length > 0))
    call.screen.err.write(`${notices.shardEmpty(shard.index, shard.count)}\n`)
  return runs
}
