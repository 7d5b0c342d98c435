// Decides what a replay runs: the recorded entries in the current files, with the recorded environments and inputs.

import {
  MASK,
  scheduleOf,
  type Entry,
  type Ports,
  type Schedule,
  type SessionOptions,
} from "@callsheet/engine"
import {
  CallsheetError,
  ownOf,
  processVariableName,
  setOwn,
  toProblem,
  toText,
  type Api,
  type BoundEnvironment,
  type JsonValue,
  type Problem,
  type Project,
  type RowOrProblem,
} from "@callsheet/format"
import { resolveWorkflowArgument } from "@callsheet/project"
import { messages } from "../messages.ts"
import { readRun } from "../session/read-workflows.ts"
import type { RecordedRun, RecordedSession } from "./recorded-session.ts"

export interface ReplayPlan {
  readonly project: Project
  readonly workflows: readonly string[]
  readonly schedule: Schedule
  readonly options: SessionOptions
  /** The entries that are left out, because the record contains no run of them. */
  readonly missing: readonly string[]
  /** Returns the files of a replay, in which `--data` has the recorded rows. */
  readonly filesOf: (files: Ports["files"]) => Ports["files"]
}

interface ReplayRequest {
  readonly root: string
  readonly cwd: string
  /** The path of the record as the user wrote it. */
  readonly shown: string
  /** The workflows to replay. Empty for all. */
  readonly wanted: readonly string[]
  readonly isStrict: boolean
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

function refuseSeveral({ runs }: RecordedSession, { shown }: ReplayRequest): void {
  const names = new Set(runs.flatMap(({ started }) => started.project ?? []))
  if (names.size > 0)
    throw new CallsheetError(messages["record-invalid"].severalProjects(shown, [...names].sort()))
}

export async function planReplay(session: RecordedSession, asked: ReplayRequest): Promise<ReplayPlan> {
  const { root, cwd } = asked
  refuseSeveral(session, asked)
  const { suite, onFailure, until } = session.header.command
  const main = session.runs.filter(({ started }) => (started.role ?? "main") === "main")
  const recorded = [...new Set(main.map(({ started }) => started.workflow))]
  const wanted = wantedOf(asked, recorded)
  if (recorded.length === 0) {
    const { message, hint } = cutOf(session, asked)
    throw new CallsheetError({ code: "record-invalid", message, hint })
  }
  const missing = session.header.command.workflows.filter((name) => !recorded.includes(name))
  const names = new Set(main.map(({ started }) => started.entry ?? started.workflow))
  const read = await readRun({
    root,
    cwd,
    named: [],
    suite,
    wanted: [...wanted],
    ...(suite === undefined
      ? {}
      : {
          select: (entries) => {
            missing.push(...entries.filter(({ name }) => !names.has(name)).map(({ name }) => name))
            return entries.filter(({ name, workflow }) => names.has(name) && wanted.has(workflow))
          },
        }),
  })
  const project = withoutSecrets(read.project)
  const rows = suite === undefined ? rowsOf(main) : []
  const schedule =
    read.schedule ?? scheduleOf(read.workflows, rows.length === 0 ? undefined : { path: "", cwd: "" })
  return {
    project,
    workflows: read.workflows,
    schedule: adaptSchedule(schedule, session, project),
    missing: asked.wanted.length === 0 ? missing : [],
    filesOf: (files) => ({
      ...files,
      openRows: (file) =>
        file.cwd === undefined ? files.openRows(file) : Promise.resolve(openRecorded(rows)),
    }),
    options: {
      ...settingsOf(main),
      onFailure,
      part: until === undefined ? undefined : { until },
      seed: session.header.seed,
      defaultEnvironments: project.settingsFile?.settings?.defaults?.env,
      inputs: inputsOf(session, main),
      overrides: overridesOf(session, project),
      // A replay needs these only to mask secrets that the files may quote.
      processEnvironment: secretVariables(project, asked.processEnvironment),
      unknown: { text: MASK, isStrict: asked.isStrict },
      warnings: session.isWhole ? [] : [cutOf(session, asked)],
      exchanges: true,
      confirm: true,
      login: () => undefined,
    },
  }
}

function cutOf({ runs, damage }: RecordedSession, { shown }: ReplayRequest): Problem {
  if (damage !== undefined) return { ...damage, severity: "warning" }
  const ended = runs.filter((run) => run.ended !== undefined)
  return toProblem({ ...messages["record-invalid"].cut(shown, ended.length), severity: "warning" })
}

/** Returns the workflows to replay. Throws if the record doesn't contain one of them. */
function wantedOf(
  { root, cwd, shown, wanted }: ReplayRequest,
  recorded: readonly string[],
): ReadonlySet<string> {
  if (wanted.length === 0) return new Set(recorded)
  const names = wanted.map((argument) => resolveWorkflowArgument({ root, cwd, argument }))
  const unknown = names.find((name) => !recorded.includes(name))
  if (unknown !== undefined)
    throw new CallsheetError(messages["workflow-unknown"].notRecorded(shown, unknown, recorded))
  return new Set(names)
}

const highest = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((most, number = 0) => Math.max(most, number), 0)

/** Gives each entry the environments and the retries of its recorded runs. */
function adaptSchedule(schedule: Schedule, { runs }: RecordedSession, { apis }: Project): Schedule {
  // A service needs no environment, so it may have run without any.
  const exists = ([api, { name }]: readonly [string, BoundEnvironment]): boolean =>
    apis.get(api)?.environments.environments.has(name) !== false
  const adapt = (entry: Entry): Entry => {
    const own = runs.filter(({ started }) => (started.entry ?? started.workflow) === entry.name)
    const bound = Object.entries(own[0]?.started.environments ?? {})
      .filter((one) => one[1].service === undefined || exists(one))
      .map(([api, { name }]) => [api, name] as const)
    const retries = Math.min(own.length, highest(own.map(({ started }) => started.attempt)))
    return {
      ...entry,
      env: { ...entry.env, ...Object.fromEntries(bound) },
      retries,
      finally: entry.finally.map(adapt),
    }
  }
  const { before, main, finally: last } = schedule
  return { ...schedule, before: before.map(adapt), main: main.map(adapt), finally: last.map(adapt) }
}

function settingsOf(main: readonly RecordedRun[]): Pick<SessionOptions, "repeat" | "bail"> {
  // A hostile record may contain any number.
  const repeat = Math.min(main.length, highest(main.map(({ started }) => started.repeat)))
  const isBailed = main.some(({ ended }) => ended?.reason === "bail")
  const failed = main.filter(
    ({ ended }) => ended?.isRetried !== true && (ended?.status === "failed" || ended?.status === "error"),
  )
  return {
    repeat: repeat === 0 ? undefined : repeat,
    bail: isBailed ? Math.max(1, failed.length) : undefined,
  }
}

/** Returns the values of the inputs that options set. Records of version 1.0 don't distinguish them from defaults. */
function inputsOf({ header }: RecordedSession, main: readonly RecordedRun[]): Record<string, JsonValue> {
  const { inputs, suite } = header.command
  const found: Record<string, JsonValue> = {}
  if (inputs === undefined && (suite !== undefined || main.some(({ started }) => started.row !== undefined)))
    return found
  for (const { started } of main)
    for (const [name, value] of Object.entries(started.inputs))
      if (inputs === undefined || inputs.includes(name))
        setOwn(found, name, typeof value === "object" ? value : toText(value))
  return found
}

interface RecordedRow {
  readonly row: number
  readonly inputs: Readonly<Record<string, JsonValue>>
}

function rowsOf(main: readonly RecordedRun[]): readonly RecordedRow[] {
  const rows = new Map<number, RecordedRow>()
  for (const { started } of main)
    if (started.row !== undefined) rows.set(started.row, { row: started.row, inputs: started.inputs })
  return [...rows.values()].toSorted((one, other) => one.row - other.row)
}

const openRecorded = (rows: readonly RecordedRow[]): Awaited<ReturnType<Ports["files"]["openRows"]>> => ({
  check: () => Promise.resolve({ problems: [], count: rows.length }),
  rows: async function* ({ declarations, given }): AsyncGenerator<RowOrProblem> {
    for (const { row, inputs } of rows) {
      const own = Object.entries(inputs).filter(
        ([name]) => Object.hasOwn(declarations, name) && !given.has(name),
      )
      yield await Promise.resolve({ ok: true, row: { row, inputs: Object.fromEntries(own) } })
    }
  },
})

/** Makes every secret a text, because a replay doesn't know its value. */
function withoutSecrets(project: Project): Project {
  const hide = (api: Api): Api => ({
    ...api,
    environments: {
      ...api.environments,
      variables: new Map(
        [...api.environments.variables].map(([name, declaration]) => [
          name,
          declaration.secret === true ? { ...declaration, type: "string" as const } : declaration,
        ]),
      ),
    },
  })
  return { ...project, apis: new Map([...project.apis].map(([name, api]) => [name, hide(api)])) }
}

/** Returns the recorded values of overridden variables, and the mask for every secret. */
function overridesOf({ runs }: RecordedSession, { apis }: Project): SessionOptions["overrides"] {
  const recorded = new Map(runs.flatMap(({ started }) => Object.entries(started.recorded?.variables ?? {})))
  return [...apis].flatMap(([api, { environments }]) =>
    [...environments.variables].flatMap(([name, { secret, type }]) => {
      const value = ownOf(recorded.get(api) ?? {}, name)
      // `baseUrl` must still be a URL. Records have only the credentials of mocks, which aren't secret.
      if (secret === true)
        return { api, name, value: toText(value ?? (name === "baseUrl" ? `http://${MASK}` : MASK)) }
      if (value === undefined || (type !== "string" && typeof value === "string")) return []
      return { api, name, value: toText(value) }
    }),
  )
}

function secretVariables(
  { apis }: Project,
  given: ReplayRequest["processEnvironment"],
): ReplayRequest["processEnvironment"] {
  const names = [...apis].flatMap(([api, { environments }]) =>
    [...environments.variables].flatMap(([name, { secret }]) =>
      secret === true ? processVariableName(api, name) : [],
    ),
  )
  return Object.fromEntries(names.map((name) => [name, ownOf(given, name)]))
}
