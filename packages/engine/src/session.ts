// Runs several workflows in sequence, for the CLI, the app and `run()`.

import {
  callsScripts,
  formatProblem,
  hasErrors,
  knownSecrets,
  secretValues,
  toProblem,
  urlCredentials,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type Project,
  type ResolvedEnvironment,
  type RunError,
  type RunStatus,
} from "@callsheet/format"
import { bindEnvironments, checkChoices, refuseUnknownInputs, settleInputs } from "./bind.ts"
import { createDocuments, type Documents } from "./documents.ts"
import { messages } from "./messages.ts"
import { planRun, type Plan } from "./plan.ts"
import { createOutlet, type CompleteListener, type LiveListener } from "./outlet.ts"
import type { Ports } from "./ports.ts"
import { roundMs } from "./round-ms.ts"
import { runPlan, type RunRequest } from "./run.ts"
import { requireResults } from "./run-results.ts"
import type { RunSecret, SessionOptions } from "./session-options.ts"
import { readsExchanges, settle } from "./settings.ts"

interface Session {
  readonly project: Project
  /** The names of workflows in `project`, in the order to run them. */
  readonly workflows: readonly string[]
  readonly ports: Ports
  readonly options: SessionOptions
  readonly listen?: LiveListener
  /** Listeners that receive all events when the session is over. */
  readonly complete?: readonly CompleteListener[]
  /** Reads the environments of every API, including APIs that no workflow uses. */
  readonly readAllEnvironments: () => readonly EnvironmentFiles[]
}

interface Bound {
  readonly name: string
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
  readonly valueProblems: readonly Problem[]
}

/** A run before anything is sent. */
interface Prepared extends Omit<Bound, "valueProblems"> {
  readonly plan?: Plan
}

/** Plans every workflow, then runs those that can start. Returns the worst status. Throws misuse before any event. */
export async function runSession(session: Session): Promise<RunStatus> {
  const { workflows, options } = session
  const bound = workflows.map((name) => bindRun(session, name))
  const secrets = [
    ...secretsOf(bound),
    ...(bound.some(hasProblems) ? secretsInFiles(session) : []),
    ...(options.results?.secrets ?? []),
  ]
  options.onSecrets?.(secrets)
  const found: RunSecret[] = []
  const outlet = createOutlet(
    secrets.map(({ value }) => value),
    {
      exchanges: readsExchanges(options),
      listen: session.listen,
      complete: session.complete,
      onSecret: (secret) => {
        if (options.onResults !== undefined) found.push(secret)
        options.onSecrets?.([secret])
      },
    },
  )
  try {
    refuseMisuse(session)
    const documents = createDocuments(session.ports.outlines)
    const prepared: Prepared[] = []
    for (const run of bound) prepared.push(await planBound(session, documents, run))
    if (!bound.some(hasProblems) && prepared.some(({ problems }) => problems.length > 0))
      for (const { name, value } of secretsInFiles(session)) outlet.keepSecret(value, name)
    const status = await runPrepared(session, prepared, { outlet, found })
    outlet.end()
    return status
  } catch (error) {
    throw outlet.errorOf(error)
  }
}

function refuseMisuse({ project, workflows, options }: Session): void {
  const files = workflows.flatMap((name) => project.workflows.get(name)?.workflow ?? [])
  // An unreadable workflow may be the one that declares the input.
  if (files.length === workflows.length) refuseUnknownInputs(files, options.inputs ?? {})
}

async function runPrepared(
  session: Session,
  prepared: readonly Prepared[],
  shared: Omit<RunOne, "run">,
): Promise<RunStatus> {
  const refusals = await refusalsOf(prepared, session)
  const prepareScripts = session.ports.scripts.prepare
  const starting = prepared.flatMap((item) => (refusals.has(item) ? [] : (item.plan?.workflow.blocks ?? [])))
  if (callsScripts(starting)) await prepareScripts?.(session.options.signal)
  let worst: RunStatus = "passed"
  for (const [run, item] of prepared.entries()) {
    const refusal = refusals.get(item)
    const status = await runOne(session, refusal === undefined ? item : refused(item, refusal), {
      ...shared,
      run,
    })
    if (severity[status] > severity[worst]) worst = status
  }
  return worst
}

const hasProblems = ({ problems, valueProblems }: Bound): boolean =>
  problems.length > 0 || valueProblems.length > 0

/** Returns all secrets in the environment files, because a problem may quote any of them. */
const secretsInFiles = ({
  readAllEnvironments,
  options,
}: Session): readonly { name: string; value: string }[] =>
  readAllEnvironments().flatMap((files) =>
    knownSecrets(files, options.processEnvironment ?? {}).map(({ name, value }) => ({
      name: `${files.api}.${name}`,
      value,
    })),
  )

const secretsOf = (bound: readonly Bound[]): readonly RunSecret[] =>
  bound.flatMap(({ environments, inputs }) => [
    ...[...environments.values()].flatMap((environment) =>
      secretValues(environment).map(({ name, value }) => ({ name: `${environment.api}.${name}`, value })),
    ),
    ...[...inputs].flatMap(([name, value]) =>
      typeof value === "string"
        ? urlCredentials(value).map((secret) => ({ name: `the input ${name}`, value: secret }))
        : [],
    ),
  ])

const severity: { readonly [S in RunStatus]: number } = { passed: 0, failed: 1, error: 2 }

function bindRun({ project, workflows, options }: Session, name: string): Bound {
  const file = project.workflows.get(name)
  const choices = checkChoices(project, options)
  if (file?.workflow === undefined) {
    const problems = unique([...choices, ...(file?.problems ?? project.problems)])
    return { name, environments: new Map(), inputs: new Map(), problems, valueProblems: [] }
  }
  const { workflow } = file
  const bindings = bindEnvironments(project, { workflow, workflows }, options)
  const { inputs, problems } = settleInputs(workflow, options.inputs ?? {})
  return {
    name,
    environments: bindings.environments,
    inputs,
    problems: [...choices, ...file.problems],
    valueProblems: [...bindings.problems, ...problems],
  }
}

async function planBound(
  session: Session,
  documents: Documents,
  { valueProblems, ...bound }: Bound,
): Promise<Prepared> {
  const { project, options, ports } = session
  const file = project.workflows.get(bound.name)
  if (file?.workflow === undefined) return bound
  const { workflow } = file
  const { environments, inputs } = bound
  const planned = await planRun({
    project,
    file,
    workflow,
    environments,
    inputs,
    settings: settle(options, workflow),
    part: options.part,
    keepsResults: options.onResults !== undefined,
    scripts: ports.scripts,
    documents,
  })
  if (planned.plan !== undefined) requireResults(planned.plan.part, options.results)
  const problems = unique([...bound.problems, ...planned.problems, ...valueProblems])
  const canStart = planned.plan !== undefined && !hasErrors(problems)
  return { ...bound, problems, ...(canStart ? { plan: planned.plan } : {}) }
}

// If `--env shop=x` is wrong, both the option itself and the workflow that needs it report the same problem.
function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map(
    problems.map((problem) => [
      `${problem.file}:${problem.line}:${problem.column}:${problem.message}`,
      problem,
    ]),
  )
  return [...seen.values()]
}

/** Returns the reasons why runs must not send to production. */
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

interface RunOne extends Pick<RunRequest, "run" | "outlet"> {
  readonly found: readonly RunSecret[]
}

async function runOne(session: Session, item: Prepared, { run, outlet, found }: RunOne): Promise<RunStatus> {
  const { ports, options } = session
  const { emit } = outlet
  const started = ports.clock.elapsed()
  emit({
    type: "run.started",
    run,
    workflow: item.name,
    startedAt: new Date(ports.clock.now()).toISOString(),
    environments: Object.fromEntries(
      [...item.environments].map(([api, { name, level }]) => [api, { name, level }]),
    ),
    inputs: Object.fromEntries(item.inputs),
  })
  const warnings = item.problems.filter((problem) => problem.severity === "warning")
  for (const warning of [...warnings, ...tlsWarnings(item)]) emit({ type: "warning.raised", run, warning })
  const finish = (status: RunStatus, error?: RunError): RunStatus => {
    const durationMs = roundMs(ports.clock.elapsed() - started)
    emit({ type: "run.finished", run, status, durationMs, ...(error === undefined ? {} : { error }) })
    return status
  }
  if (item.plan === undefined) return finish("error", errorOf(item))
  const signal = options.signal ?? new AbortController().signal
  const { results: before, onResults } = options
  const keep: RunRequest["onResults"] =
    onResults === undefined
      ? undefined
      : (results) => onResults({ ...results, secrets: [...(before?.secrets ?? []), ...found] })
  return finish(await runPlan({ plan: item.plan, ports, signal, run, outlet, before, onResults: keep }))
}

function tlsWarnings({ environments }: Prepared): readonly Problem[] {
  return [...environments.values()]
    .filter((environment) => !environment.verifyTls)
    .map(({ api, name }) => toProblem(messages["tls-unverified"].unverified(api, name)))
}

function errorOf({ problems }: Prepared): RunError {
  const errors = problems.filter((problem) => problem.severity === "error")
  const [first, ...more] = errors
  if (first === undefined) return { code: "usage", message: "the run could not start", problems: [] }
  const message =
    more.length === 0 ? formatProblem(first) : `${formatProblem(first)}, and ${more.length} more`
  return { code: first.code, message, problems: errors }
}
