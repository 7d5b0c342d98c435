// Several workflows, one after the other: what the command, the application and `run()` all call.

import {
  hasErrors,
  scriptsOf,
  secretValues,
  walkBlocks,
  type BoundEnvironment,
  type JsonObject,
  type JsonValue,
  type Listener,
  type Problem,
  type Project,
  type ResolvedEnvironment,
  type RunError,
  type RunStatus,
} from "@callsheet/format"
import { bindEnvironments, checkChoices, summarize } from "./bind.ts"
import { createDocuments, type Documents } from "./documents.ts"
import { refuseUnknownInputs, settleInputs } from "./inputs.ts"
import { planRun, type Plan } from "./plan.ts"
import { createMasker } from "./mask.ts"
import type { Ports } from "./ports.ts"
import { roundMs } from "./round-ms.ts"
import { runPlan, type RunRequest } from "./run.ts"
import { requireResults } from "./run-results.ts"
import { createSecretKeeper } from "./secret-keeper.ts"
import type { RunSecret, SessionOptions } from "./session-options.ts"
import { settle } from "./settings.ts"

export interface Session {
  readonly project: Project
  /** Names of workflows in `project`, in the order in which they run. */
  readonly workflows: readonly string[]
  readonly ports: Ports
  readonly options: SessionOptions
  readonly listen: Listener
}

/** What is known of one run before anything is sent. */
interface Prepared {
  readonly name: string
  readonly plan?: Plan
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
}

/**
 * Plans every workflow, then runs those that can start, in order. Returns the worst status.
 *
 * @throws CallsheetError for misuse (an input that no workflow declares, a debugger's port that is taken), before any event.
 */
export async function runSession(session: Session): Promise<RunStatus> {
  const { project, workflows, options } = session
  const files = workflows.flatMap((name) => project.workflows.get(name)?.workflow ?? [])
  // A workflow that cannot be read may be the one that declares the input.
  if (files.length === workflows.length) refuseUnknownInputs(files, options.inputs ?? {})
  const prepared: Prepared[] = []
  const documents = createDocuments(session.ports.outlines)
  for (const name of workflows) prepared.push(await prepare(session, documents, name))
  const secrets = [...secretsOf(prepared), ...(options.results?.secrets ?? [])]
  options.onSecrets?.(secrets)
  const mask = createMasker(secrets.map(({ value }) => value))
  const found: RunSecret[] = []
  const keepSecret = createSecretKeeper(mask, {
    held: options.held,
    onSecrets: (more) => {
      if (options.onResults !== undefined) found.push(...more)
      options.onSecrets?.(more)
    },
  })
  const refusals = await refusalsOf(prepared, session)
  const prepareScripts = session.ports.scripts.prepare
  if (prepareScripts !== undefined && prepared.some((item) => !refusals.has(item) && callsScripts(item))) {
    await prepareScripts(options.signal)
  }
  let worst: RunStatus = "passed"
  for (const [run, item] of prepared.entries()) {
    const refusal = refusals.get(item)
    const status = await runOne(session, refusal === undefined ? item : refused(item, refusal), {
      run,
      mask,
      keepSecret,
      found,
    })
    if (severity[status] > severity[worst]) worst = status
  }
  return worst
}

const secretsOf = (prepared: readonly Prepared[]): readonly RunSecret[] =>
  prepared.flatMap(({ environments }) =>
    [...environments.values()].flatMap((environment) =>
      secretValues(environment).map(({ name, value }) => ({ name: `${environment.api}.${name}`, value })),
    ),
  )

function callsScripts({ plan }: Prepared): boolean {
  for (const { block } of walkBlocks(plan?.workflow.blocks ?? []))
    if (scriptsOf(block).length > 0) return true
  return false
}

const severity: { readonly [S in RunStatus]: number } = { passed: 0, failed: 1, error: 2 }

async function prepare(session: Session, documents: Documents, name: string): Promise<Prepared> {
  const { project, workflows, options, ports } = session
  const file = project.workflows.get(name)
  const choices = checkChoices(project, options)
  const nothing = { name, environments: new Map(), inputs: new Map() }
  if (file?.workflow === undefined) {
    return { ...nothing, problems: unique([...choices, ...(file?.problems ?? project.problems)]) }
  }
  const { workflow } = file
  const bindings = bindEnvironments(project, { workflow, workflows }, options)
  const { inputs, problems } = settleInputs(workflow, options.inputs ?? {})
  const settings = settle(options, workflow)
  const { environments } = bindings
  const planned = await planRun({
    project,
    file,
    workflow,
    environments,
    inputs,
    settings,
    part: options.part,
    keepsResults: options.onResults !== undefined,
    scripts: ports.scripts,
    documents,
  })
  if (planned.plan !== undefined) requireResults(planned.plan.part, options.results)
  const all = unique([...choices, ...file.problems, ...planned.problems, ...bindings.problems, ...problems])
  return {
    name,
    environments,
    inputs,
    problems: all,
    ...(planned.plan === undefined || hasErrors(all) ? {} : { plan: planned.plan }),
  }
}

// The choice `--env shop=x` can be found wrong by itself and again by the workflow that needs it.
function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map(
    problems.map((problem) => [
      `${problem.file}:${problem.line}:${problem.column}:${problem.message}`,
      problem,
    ]),
  )
  return [...seen.values()]
}

/** Why runs must not start that would send to production. */
async function refusalsOf(
  prepared: readonly Prepared[],
  session: Session,
): Promise<ReadonlyMap<Prepared, Problem>> {
  const isAsking = prepared.some(
    ({ plan, environments }) =>
      plan !== undefined && [...environments.values()].some(({ level }) => level === "production"),
  )
  if (!isAsking || session.options.confirm === true) return new Map()
  const { confirmProduction } = await import("./confirm-production.ts")
  return confirmProduction(prepared, session)
}

function refused({ plan: _, ...item }: Prepared, problem: Problem): Prepared {
  return { ...item, problems: [...item.problems, problem] }
}

interface RunOne extends Pick<RunRequest, "run" | "mask" | "keepSecret"> {
  /** What the session has found out to be secret. */
  readonly found: readonly RunSecret[]
}

async function runOne(
  session: Session,
  item: Prepared,
  { run, mask, keepSecret, found }: RunOne,
): Promise<RunStatus> {
  const { ports, listen, options } = session
  const started = ports.clock.elapsed()
  listen({
    type: "run.started",
    run,
    workflow: item.name,
    startedAt: new Date(ports.clock.now()).toISOString(),
    environments: Object.fromEntries(
      [...item.environments].map(([api, environment]) => [api, boundEnvironment(environment)]),
    ),
    inputs: mask.value(Object.fromEntries(item.inputs)) as JsonObject,
  })
  const warnings = item.problems.filter((problem) => problem.severity === "warning")
  for (const warning of [...warnings, ...tlsWarnings(item)]) {
    listen({ type: "warning.raised", run, warning: maskProblem(warning, mask.text) })
  }
  const finish = (status: RunStatus, error?: RunError): RunStatus => {
    const durationMs = roundMs(ports.clock.elapsed() - started)
    listen({ type: "run.finished", run, status, durationMs, ...(error === undefined ? {} : { error }) })
    return status
  }
  if (item.plan === undefined) return finish("error", errorOf(item, mask.text))
  const signal = options.signal ?? new AbortController().signal
  const { results: before, onResults } = options
  const keep: RunRequest["onResults"] =
    onResults === undefined
      ? undefined
      : (results) => onResults({ ...results, secrets: [...(before?.secrets ?? []), ...found] })
  return finish(
    await runPlan({ plan: item.plan, ports, listen, signal, run, mask, keepSecret, before, onResults: keep }),
  )
}

const boundEnvironment = ({ name, level }: ResolvedEnvironment): BoundEnvironment => ({ name, level })

function tlsWarnings({ environments }: Prepared): readonly Problem[] {
  return [...environments.values()]
    .filter((environment) => !environment.verifyTls)
    .map((environment) => ({
      code: "tls-unverified",
      severity: "warning",
      message: `certificates of "${environment.api}" are not verified in the environment "${environment.name}"`,
    }))
}

function errorOf({ problems }: Prepared, mask: (text: string) => string): RunError {
  const errors = problems.filter((problem) => problem.severity === "error")
  return {
    code: errors[0]?.code ?? "usage",
    message: mask(summarize(errors)),
    problems: errors.map((problem) => maskProblem(problem, mask)),
  }
}

const maskProblem = (problem: Problem, mask: (text: string) => string): Problem => ({
  ...problem,
  message: mask(problem.message),
  ...(problem.hint === undefined ? {} : { hint: mask(problem.hint) }),
})
