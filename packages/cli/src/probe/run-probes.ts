// Runs probes as rows of workflows in memory: the ones that a finding is written as.

import {
  runSession,
  withDefaults,
  type ProductionBinding,
  type RowSource,
  type RunSecret,
  type SessionOptions,
} from "@callsheet/engine"
import {
  CallsheetError,
  getOrCreate,
  readRows,
  type EntrySettings,
  type Finding,
  type Leftover,
  type Listener,
  type Project,
  type RowInputs,
} from "@callsheet/format"
import { PROBE, resolveSuite, VALID } from "@callsheet/language"
import { readAllEnvironments } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import { printBugs } from "../report-error.ts"
import { printRunProblems } from "../reporters/open-reporters.ts"
import { withPorts } from "../session/with-ports.ts"
import { workflowOf, type Probe, type ProbePlan } from "./plan-probes.ts"
import { createProbeFold, type ProbeFold, type SentProbe } from "./probe-fold.ts"

export interface ProbeRunOptions {
  readonly call: CommandCall
  readonly environments: Pick<SessionOptions, "environment" | "environments">
  /** The maximum number of requests, those that prepare probes included. */
  readonly max: number
  readonly signal: AbortSignal
}

export interface ProbesRun {
  /** The number of requests that were sent, without those that clean up. */
  readonly requests: number
  readonly sent: readonly SentProbe[]
  /** The number of operations that accepted their valid request. */
  readonly probed: number
  /** The operations whose valid request was refused. */
  readonly refused: readonly SentProbe[]
  /** The number of probes that the maximum left out. */
  readonly leftOut: number
  readonly leftovers: readonly Leftover[]
  readonly secrets: readonly RunSecret[]
  /** Why the server couldn't be reached, which ended the probes. Masked. */
  readonly unreachable: Finding | undefined
}

/**
 * Sends the valid request of every operation, then the probes of those that accept theirs. Throws if an environment is
 * production.
 */
export async function runProbes(plan: ProbePlan, options: ProbeRunOptions): Promise<ProbesRun> {
  const session = new ProbeSession(plan, options)
  await session.run(plan.bases)
  const accepted = new Set(session.accepted.map(({ probe }) => probe.draft))
  await session.run(plan.probes.filter(({ draft }) => accepted.has(draft)))
  return session.result()
}

class ProbeSession {
  readonly #plan: ProbePlan
  readonly #options: ProbeRunOptions
  readonly #sent: SentProbe[] = []
  readonly #leftovers: Leftover[] = []
  readonly #secrets: RunSecret[] = []
  readonly #refused: SentProbe[] = []
  readonly #printProblem: Listener
  readonly accepted: SentProbe[] = []
  #requests = 0
  #leftOut = 0
  #unreachable: Finding | undefined

  constructor(plan: ProbePlan, options: ProbeRunOptions) {
    this.#plan = plan
    this.#options = options
    const print = printRunProblems([{ name: "pretty" }], options.call.screen)
    // What a refused request didn't create needs no cleanup. The rows of probes have every input.
    this.#printProblem = (event) => {
      if (event.type !== "run.finished" || event.error?.code !== "input-missing") print(event)
    }
  }

  /** Sends as many as the maximum allows. A probe whose preparation fails sends fewer, which leaves more for others. */
  async run(probes: readonly Probe[]): Promise<void> {
    let queue = probes
    while (queue.length > 0 && !this.#options.signal.aborted && this.#unreachable === undefined) {
      let left = this.#options.max - this.#requests
      const batch: Probe[] = []
      for (const probe of queue) {
        if (probe.draft.requestCount > left) break
        left -= probe.draft.requestCount
        batch.push(probe)
      }
      if (batch.length === 0) break
      queue = queue.slice(batch.length)
      await this.#runBatch(batch)
    }
    this.#leftOut += queue.length
  }

  result(): ProbesRun {
    return {
      requests: this.#requests,
      sent: this.#sent,
      probed: this.accepted.length,
      refused: this.#refused,
      leftOut: this.#leftOut,
      leftovers: this.#leftovers,
      secrets: this.#secrets,
      unreachable: this.#unreachable,
    }
  }

  async #runBatch(batch: readonly Probe[]): Promise<void> {
    const { call } = this.#options
    const groups = byDraft(batch)
    const fold = createProbeFold(groups)
    const ending = endAfterProbe(this.#options.signal, fold)
    const { project, schedule, rows } = sessionOf(this.#plan, groups)
    const { environment: processEnvironment, scriptEntry } = call
    await withPorts({ root: project.root, processEnvironment, scriptEntry }, (ports) =>
      runSession({
        project,
        workflows: [...project.workflows.keys()],
        schedule,
        ports: {
          ...ports,
          files: { ...ports.files, openRows: async ({ path }) => openRowsOf(path, rows.get(path) ?? "") },
        },
        readAllEnvironments: () => readAllEnvironments(this.#plan.project),
        listen: [
          (event) => {
            fold.listen(event)
            ending.check()
          },
          this.#printProblem,
        ],
        options: { ...this.#sessionOptions(project), signal: ending.signal },
      }),
    ).finally(ending.stop)
    this.#requests += fold.requests()
    this.#unreachable ??= fold.unreachable()
    this.#leftovers.push(...fold.leftovers())
    for (const one of fold.sent()) {
      this.#sent.push(one)
      if (one.probe.rule === VALID) (isAccepted(one) ? this.accepted : this.#refused).push(one)
    }
  }

  #sessionOptions(project: Project): SessionOptions {
    const { call, environments } = this.#options
    return {
      ...withDefaults({ ...environments, retries: 0, jobs: 1 }, project),
      trace: false,
      snapshots: undefined,
      processEnvironment: call.environment,
      exchanges: true,
      coverage: true,
      leftovers: true,
      onBug: printBugs(call),
      onSecrets: (secrets) => void this.#secrets.push(...secrets),
      // Nothing confirms this: probes change data.
      confirm: async (production: readonly ProductionBinding[]) => {
        throw new CallsheetError(
          messages["confirm-required"].probes(production.map(({ environment }) => environment)),
        )
      },
    }
  }
}

/** The time that the probe in progress has after an interrupt. */
const MAX_ENDING_MS = 5_000

/**
 * Aborts if the server can't be reached and, after an interrupt, when the probe in progress has its answer, which says
 * what to clean up.
 */
function endAfterProbe(interrupt: AbortSignal, { isIdle, unreachable }: ProbeFold) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    if (unreachable() !== undefined || (interrupt.aborted && isIdle())) controller.abort()
  }
  const hear = (): void => {
    timer = setTimeout(() => controller.abort(), MAX_ENDING_MS)
    check()
  }
  interrupt.addEventListener("abort", hear)
  return {
    signal: controller.signal,
    check,
    stop: (): void => {
      clearTimeout(timer)
      interrupt.removeEventListener("abort", hear)
    },
  }
}

const isAccepted = ({ status, isValid }: SentProbe): boolean =>
  status !== undefined && status !== null && status < 400 && isValid === true

type Groups = ReadonlyMap<Probe["draft"], readonly Probe[]>

function byDraft(probes: readonly Probe[]): Groups {
  const groups = new Map<Probe["draft"], Probe[]>()
  for (const probe of probes) getOrCreate(groups, probe.draft, () => []).push(probe)
  return groups
}

/** Returns the project with the workflows and the saved requests of the probes, and the entries that run them. */
function sessionOf({ project, api }: ProbePlan, groups: Groups) {
  const drafts = [...groups.keys()]
  const files = new Map(drafts.flatMap((draft) => draft.files).map((file) => [file.path, file]))
  const written = [...files.values()].filter((file) => "value" in file).map(workflowOf)
  const instances = [...groups.values()].flat().map(({ instance }) => instance)
  const withRequests = {
    ...api,
    instances: new Map([
      ...api.instances,
      ...instances.map((one) => [`${one.resource}/${one.name}`, one] as const),
    ]),
  }
  const workflowNames = [...new Set([...project.workflowNames, ...written.map(({ name }) => name)])]
  const entries: readonly EntrySettings[] = drafts.map(({ entry }) => entry)
  const { suite } = resolveSuite({
    settings: { version: 1, suites: { [PROBE]: { workflows: entries } } },
    name: PROBE,
    workflowNames,
    report: () => undefined,
  })
  const { name: _, ...schedule } = suite
  return {
    project: {
      ...project,
      apis: new Map(project.apis).set(api.name, withRequests),
      workflows: new Map(written.map((one) => [one.name, one])),
      workflowNames,
    },
    schedule,
    rows: new Map(
      drafts.map((draft) => [draft.data, rowsText((groups.get(draft) ?? []).map(({ row }) => row))]),
    ),
  }
}

/** Returns rows as the lines of a file. */
export const rowsText = (rows: readonly Probe["row"][]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** Opens rows in memory as if they were a file. */
function openRowsOf(path: string, text: string): RowSource {
  const read = (inputs: RowInputs) => readRows(path, [new TextEncoder().encode(text)], inputs)
  return {
    check: async (inputs) => {
      const items = [...read(inputs)]
      return { problems: items.flatMap((item) => (item.ok ? [] : [item.problem])), count: items.length }
    },
    rows: async function* (inputs) {
      yield* read(inputs)
    },
  }
}
