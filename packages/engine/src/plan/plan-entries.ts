// Binds and plans every entry of a session before anything is sent.

import {
  hasErrors,
  suggest,
  toProblem,
  urlCredentials,
  secretValues,
  valueStrings,
  walkBlocks,
  hasResponse,
  getOrCreate,
  memo,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type Project,
  type ResolvedEnvironment,
  type RowOrProblem,
  type Workflow,
  distinctProblems,
} from "@callsheet/format"
import { knownMethod, placeRowProblems, asError } from "@callsheet/language"
import { bindEnvironments, checkChoices, settleInputs } from "./bind.ts"
import type { Documents } from "./documents.ts"
import { isIdempotent } from "../run/idempotent.ts"
import { messages } from "../messages.ts"
import { inputsReadInbox, neededApis } from "./needed-apis.ts"
import { planRun, type Plan, type PlanResult } from "./plan.ts"
import type { DataFile, Ports, RowSource, RunSecret } from "../ports.ts"
import { requireResults } from "../run/run-results.ts"
import type { Entry, Schedule, ScheduledEntry } from "./schedule.ts"
import type { SessionOptions } from "../session/session-options.ts"
import { settle } from "./settings.ts"

export interface SessionRequest {
  readonly project: Project
  /** The names of workflows in `project`, in the order in which they run. */
  readonly workflows: readonly string[]
  /** The runs to make. By default, one of each workflow. */
  readonly schedule?: Schedule | undefined
  readonly ports: Ports
  readonly options: SessionOptions
  /** Reads the environments of every API, including APIs that no workflow uses. */
  readonly readAllEnvironments: () => readonly EnvironmentFiles[]
}

/** An entry of the schedule before anything is sent. */
export interface PlannedEntry extends ScheduledEntry {
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  /** The values of inputs without placeholders. */
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
  readonly plan?: Plan
  /** True if nothing of the session may start: the entry's data is wrong, or it has an error in a strict session. */
  readonly keepsAllFromStarting?: boolean
  /** Yields the checked rows of the entry's data file. Each call starts at the first row. */
  readonly rows?: () => AsyncIterable<RowOrProblem>
  readonly rowCount?: number
}

export interface BoundEntry extends Omit<PlannedEntry, "plan"> {
  /** Entries with the same key share a binding and a plan. */
  readonly key: string
  readonly valueProblems: readonly Problem[]
}

/** Creates a function that binds entries. */
export function createBinder(session: SessionRequest) {
  const { project, options } = session
  const optionsFor = createOptionsFinder(options)
  const known = new Map<string, ReturnType<typeof bind>>()
  const bind = (
    needed: readonly string[],
    { own, mocks }: ReturnType<typeof optionsFor> & Pick<Entry, "mocks">,
  ) => ({
    choices: checkChoices(project, own),
    ...bindEnvironments(needed, {
      asked: session,
      options: own,
      mocks: new Set(mocks.map(({ api }) => api)),
    }),
  })
  return (scheduled: ScheduledEntry, inputs: SessionOptions["inputs"]): BoundEntry => {
    const { entry, role } = scheduled
    const file = project.workflows.get(entry.workflow)
    const chosen = optionsFor(entry)
    const { own, environmentsKey } = chosen
    const isInboxRead = inputsReadInbox(entry, project)
    const mocked = entry.mocks.map(({ api }) => api).join(" ")
    const key = `${entry.workflow} ${scheduled.isRead} ${isInboxRead} ${environmentsKey} ${mocked}`
    if (file?.workflow === undefined) {
      const problems = distinctProblems([
        ...checkChoices(project, own),
        ...(file?.problems ?? project.problems),
      ])
      const nothing = { environments: new Map(), inputs: new Map(), valueProblems: [] }
      return { ...scheduled, ...nothing, key, problems }
    }
    const { workflow } = file
    const bound = getOrCreate(known, key, () =>
      bind(neededApis({ ...file, workflow }, project, isInboxRead), { ...chosen, mocks: entry.mocks }),
    )
    const given = { ...(role === "main" ? inputs : {}), ...entry.inputs }
    const tokens = tokenInputs(entry.inputs)
    const later = entry.data === undefined ? tokens : withoutValue(workflow, given, tokens)
    const { inputs: values, problems } = settleInputs(workflow, given, later)
    return {
      ...scheduled,
      environments: bound.environments,
      inputs: values,
      key,
      problems: [...bound.choices, ...file.problems],
      valueProblems: [...bound.problems, ...unknownInputs(scheduled, workflow), ...problems],
    }
  }
}

/** Returns the secrets files that set values of the entries. */
export const secretsFilesOf = (bound: readonly Pick<BoundEntry, "environments">[]): ReadonlySet<string> =>
  new Set(
    bound.flatMap(({ environments }) =>
      [...environments.values()].flatMap(({ variables }) =>
        [...variables.values()].flatMap(({ from, file }) =>
          from === "secrets" && file !== undefined ? [file] : [],
        ),
      ),
    ),
  )

/** Creates a function that plans bound entries. `exposed` are the problems of their secrets files. */
export function createPlanner({ project, options, ports }: SessionRequest, documents: Documents) {
  const known = new Map<string, Promise<PlanResult>>()
  const isStrict = options.strict === true
  const doubtsOf = ({ doubts = [] }: PlanResult): readonly Problem[] =>
    isStrict ? doubts : doubts.map((doubt) => ({ ...doubt, severity: "warning" }))
  return async (
    { valueProblems, key, ...bound }: BoundEntry,
    exposed?: Promise<readonly Problem[]>,
  ): Promise<PlannedEntry> => {
    const { entry, environments, isRead } = bound
    const file = project.workflows.get(entry.workflow)
    if (file?.workflow === undefined) return bound
    const { workflow } = file
    const planned = await getOrCreate(known, key, () =>
      planRun({
        project,
        file,
        workflow,
        environments,
        settings: settle(options, workflow, project),
        part: options.part,
        keepsResults: isRead || options.onResults !== undefined,
        scripts: ports.scripts,
        files: ports.files,
        documents,
      }),
    )
    if (planned.plan !== undefined) requireResults(planned.plan.part, options.results)
    const { problems: ofRows = [], ...rows } = (await checkRows(bound, workflow, { project, ports })) ?? {}
    const own = exposed && secretsFilesOf([bound])
    const ofSecrets = (await exposed)?.filter(({ file = "" }) => own?.has(file)) ?? []
    const all = [
      ...ofSecrets,
      ...bound.problems,
      ...planned.problems,
      ...valueProblems,
      ...ofRows,
      ...doubtsOf(planned),
    ]
    const problems = distinctProblems(isStrict ? all.map(asError) : all)
    const canStart = planned.plan !== undefined && !hasErrors(problems)
    const keepsAllFromStarting = hasErrors(isStrict ? problems : ofRows)
    return { ...bound, problems, keepsAllFromStarting, ...(canStart ? { plan: planned.plan, ...rows } : {}) }
  }
}

/** Checks the rows of an entry's data file, if it has one. */
async function checkRows(
  { entry, inputs }: Pick<BoundEntry, "entry" | "inputs">,
  workflow: Workflow,
  { project, ports }: Pick<SessionRequest, "project" | "ports">,
) {
  if (entry.data === undefined) return undefined
  const data = await openData(ports, entry.data)
  const given = new Set([...inputs.keys(), ...tokenInputs(entry.inputs)])
  const rowInputs = { declarations: workflow.inputs ?? {}, given }
  const { problems, count } = await data.check(rowInputs)
  const { settingsFile } = project
  const placed =
    settingsFile === undefined || entry.pointer === undefined || problems.length === 0
      ? problems
      : placeRowProblems(problems, settingsFile, [...entry.pointer, "data"])
  return { problems: placed, rows: () => data.rows(rowInputs), rowCount: count }
}

/**
 * Creates a function that returns the options with an entry's environments. `--env` wins over every environment in
 * `callsheet.json`. There, an entry's environment wins over the defaults.
 */
function createOptionsFinder(options: SessionOptions) {
  const known = new Map<Entry["env"], { own: SessionOptions; environmentsKey: string }>()
  return ({ env }: Entry) =>
    getOrCreate(known, env, () => {
      if (options.environment !== undefined) return { own: options, environmentsKey: "" }
      const environments = { ...options.defaultEnvironments, ...env, ...options.environments }
      return { own: { ...options, environments }, environmentsKey: JSON.stringify(environments) }
    })
}

export const tokenInputs = (inputs: Readonly<Record<string, JsonValue>>): ReadonlySet<string> =>
  new Set(
    Object.entries(inputs).flatMap(([name, value]) =>
      valueStrings(value, []).some(({ text }) => text.includes("{{")) ? [name] : [],
    ),
  )

const openData = ({ files }: Ports, data: DataFile | string): Promise<RowSource> =>
  files.openRows(typeof data === "string" ? { path: data } : data)

/** Returns the inputs whose values are known only when a row runs. */
const withoutValue = (
  { inputs = {} }: Workflow,
  given: Readonly<Record<string, unknown>>,
  tokens: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(Object.keys(inputs).filter((name) => tokens.has(name) || !Object.hasOwn(given, name)))

const unknownInputs = ({ entry }: ScheduledEntry, { inputs = {} }: Workflow): readonly Problem[] =>
  Object.keys(entry.inputs)
    .filter((name) => !Object.hasOwn(inputs, name))
    .map((name) => {
      const declared = Object.keys(inputs)
      const { ofWorkflow } = messages["input-unknown"]
      return toProblem(ofWorkflow(name, entry.workflow, declared, suggest(name, declared)))
    })

export const hasProblems = ({ problems, valueProblems }: BoundEntry): boolean =>
  problems.length > 0 || valueProblems.length > 0

export const secretsOf = (bound: readonly BoundEntry[]): readonly RunSecret[] => {
  const environments = new Set(bound.flatMap((entry) => [...entry.environments.values()]))
  return [
    ...[...environments].flatMap((environment) =>
      secretValues(environment).map(({ name, value }) => ({ name: `${environment.api}.${name}`, value })),
    ),
    ...bound.flatMap(({ inputs }) => [...inputs].flatMap(([name, value]) => inputSecrets(name, value))),
  ]
}

export const inputSecrets = (name: string, value: JsonValue): readonly { name: string; value: string }[] =>
  typeof value === "string"
    ? urlCredentials(value).map((secret) => ({ name: `the input ${name}`, value: secret }))
    : []

// If `--env shop=x` is wrong, the option and each workflow that needs it report the same problem.
/**
 * Returns the methods of a workflow's requests that must not be repeated without cleanup. "?" stands for an unknown
 * method.
 */
export const unsafeMethods = memo(({ workflow, apis }: Plan): readonly string[] => [
  ...new Set(
    [...walkBlocks(workflow.blocks)].flatMap(({ block }) => {
      if (!hasResponse(block)) return []
      const method = knownMethod(apis.get(block.request.api), block) ?? "?"
      return isIdempotent(method) ? [] : [method]
    }),
  ),
])
