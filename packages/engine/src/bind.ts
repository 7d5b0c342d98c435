// Binds each API to an environment and resolves its variables.

import {
  ambiguousProcessVariables,
  formatMessages,
  formatProblem,
  hasErrors,
  resolveEnvironment,
  suggest,
  toProblem,
  touchedApis,
  type Problem,
  type Project,
  type ResolvedEnvironment,
  type Workflow,
} from "@callsheet/format"
import { messages } from "./messages.ts"
import type { SessionOptions } from "./session-options.ts"
import { overridesOf, wholeCommand } from "./whole-command.ts"

interface Bindings {
  /** By API, in the order of first use in the workflow. */
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  /** Errors keep the run from starting; warnings are shown. */
  readonly problems: readonly Problem[]
}

interface Binder {
  readonly project: Project
  readonly workflows: readonly string[]
  readonly options: SessionOptions
  readonly problems: Problem[]
}

export function bindEnvironments(
  project: Project,
  { workflow, workflows }: { readonly workflow: Workflow; readonly workflows: readonly string[] },
  options: SessionOptions,
): Bindings {
  const touched = touchedApis(workflow.blocks)
  const binder: Binder = { project, workflows, options, problems: [] }
  const environments = new Map<string, ResolvedEnvironment>()
  const files = touched.flatMap((api) => project.apis.get(api)?.environments ?? [])
  binder.problems.push(...ambiguousProcessVariables(files, options.processEnvironment ?? {}))
  for (const api of touched) {
    const resolved = bindApi(binder, api)
    if (resolved !== undefined) environments.set(api, resolved)
  }
  return { environments, problems: binder.problems }
}

function bindApi(binder: Binder, api: string): ResolvedEnvironment | undefined {
  const files = binder.project.apis.get(api)
  if (files === undefined) return undefined // `plan` reports where the unknown name is
  binder.problems.push(...files.problems, ...files.environments.problems)
  const chosen = chooseEnvironment(binder, api, [...files.environments.environments.keys()])
  if (chosen === undefined || hasErrors(files.environments.problems)) return undefined
  const { environment, problems } = resolveEnvironment({
    files: files.environments,
    name: chosen,
    overrides: overridesOf(binder.options, api),
    processEnvironment: binder.options.processEnvironment ?? {},
  })
  binder.problems.push(...problems)
  return environment
}

function chooseEnvironment(binder: Binder, api: string, known: readonly string[]): string | undefined {
  const own = binder.options.environments
  const asked = own !== undefined && Object.hasOwn(own, api) ? own[api] : binder.options.environment
  if (asked !== undefined) {
    if (known.includes(asked)) return asked
    binder.problems.push(missingEnvironment(api, asked, known))
    return undefined
  }
  if (known.length === 1) return known[0]
  binder.problems.push(
    toProblem(
      known.length === 0
        ? messages["env-missing"].none(api)
        : messages["env-ambiguous"].notChosen(api, known, wholeCommand(binder)),
    ),
  )
  return undefined
}

const missingEnvironment = (api: string, asked: string, known: readonly string[]): Problem =>
  toProblem(formatMessages["env-missing"].unknown(api, asked, known))

/** Checks that the chosen APIs, environments and variables exist. */
export function checkChoices(project: Project, options: SessionOptions): readonly Problem[] {
  const problems: Problem[] = []
  const apis = [
    ...Object.keys(options.environments ?? {}),
    ...(options.overrides ?? []).map(({ api }) => api),
  ]
  for (const api of new Set(apis)) {
    if (project.apiNames.includes(api)) continue
    problems.push(toProblem(formatMessages["api-unknown"].unknown(api, project.apiNames)))
  }
  for (const [api, environment] of Object.entries(options.environments ?? {})) {
    const known = project.apis.get(api)?.environments.environments
    if (known !== undefined && !known.has(environment))
      problems.push(missingEnvironment(api, environment, [...known.keys()]))
  }
  for (const { api, name } of options.overrides ?? []) {
    const declared = project.apis.get(api)?.environments.variables
    if (declared === undefined || declared.has(name)) continue
    problems.push(
      toProblem(formatMessages["variable-undeclared"].override(api, name, suggest(name, declared.keys()))),
    )
  }
  return problems
}

/** Joins several problems into the message of a run that couldn't start. */
export const summarize = (problems: readonly Problem[]): string => {
  const errors = problems.filter((problem) => problem.severity === "error")
  const first = errors[0]
  if (first === undefined) return "the run could not start"
  return errors.length === 1 ? formatProblem(first) : `${formatProblem(first)}, and ${errors.length - 1} more`
}
