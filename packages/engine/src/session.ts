// Several workflows, one after the other: what the command, the application and `run()` all call.

import {
  hasErrors,
  secretValues,
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
import { createMasker, type Masker } from "./mask.ts"
import type { Ports } from "./ports.ts"
import { roundMs } from "./round-ms.ts"
import { runPlan } from "./run.ts"
import type { ProductionBinding, RunSecret, SessionOptions } from "./session-options.ts"
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
 * @throws CallsheetError for misuse (an input that no workflow declares), before any event.
 */
export async function runSession(session: Session): Promise<RunStatus> {
  const { project, workflows, options } = session
  const files = workflows.flatMap((name) => project.workflows.get(name)?.workflow ?? [])
  // A workflow that cannot be read may be the one that declares the input.
  if (files.length === workflows.length) refuseUnknownInputs(files, options.inputs ?? {})
  const prepared: Prepared[] = []
  const documents = createDocuments(session.ports.outlines)
  for (const name of workflows) prepared.push(await prepare(session, documents, name))
  const secrets = secretsOf(prepared)
  options.onSecrets?.(secrets)
  const mask = createMasker(secrets.map(({ value }) => value))
  const confirmed = await confirmProduction(prepared, options)
  let worst: RunStatus = "passed"
  for (const [run, item] of prepared.entries()) {
    const status = await runOne(session, confirmed.has(item) ? item : withoutConsent(item), { run, mask })
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
    scripts: ports.scripts,
    documents,
  })
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

/** The runs that may send: those without a production environment and, once the answer was yes, those with one. */
async function confirmProduction(
  prepared: readonly Prepared[],
  options: SessionOptions,
): Promise<ReadonlySet<Prepared>> {
  const asking = prepared.filter((item) => item.plan !== undefined && productionOf(item).length > 0)
  if (asking.length === 0) return new Set(prepared)
  const bindings = new Map(
    asking.flatMap(productionOf).map((binding) => [`${binding.api}=${binding.environment}`, binding]),
  )
  const answer = options.confirm === undefined ? false : await options.confirm([...bindings.values()])
  return new Set(answer ? prepared : prepared.filter((item) => !asking.includes(item)))
}

const productionOf = ({ environments }: Prepared): readonly ProductionBinding[] =>
  [...environments.values()]
    .filter((environment) => environment.level === "production")
    .map((environment) => ({ api: environment.api, environment: environment.name }))

function withoutConsent({ plan: _, ...item }: Prepared): Prepared {
  const names = productionOf(item).map(({ api, environment }) => `${api}=${environment}`)
  return {
    ...item,
    problems: [
      ...item.problems,
      {
        code: "confirm-required",
        severity: "error",
        message: `${names.join(", ")}: the level is production, and nobody confirmed the run`,
        hint: "run it in a terminal and answer the question, or pass --yes",
      },
    ],
  }
}

async function runOne(
  session: Session,
  item: Prepared,
  { run, mask }: { readonly run: number; readonly mask: Masker },
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
  return finish(await runPlan({ plan: item.plan, ports, listen, signal, run, mask }))
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
