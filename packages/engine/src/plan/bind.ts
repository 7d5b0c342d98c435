// Binds each API to an environment, resolves its variables, and gives each input its value.

import {
  ambiguousProcessVariables,
  CallsheetError,
  formatMessages,
  hasErrors,
  resolveEnvironment,
  suggest,
  toProblem,
  typedInput,
  type BoundService,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type Project,
  type ResolvedEnvironment,
  type Workflow,
  ownOf,
} from "@callsheet/format"
import { languageMessages } from "@callsheet/language"
import { messages } from "../messages.ts"
import type { SessionOptions } from "../session/session-options.ts"
import { chosenEnvironment, overridesOf, wholeCommand, type CommandRequest } from "./whole-command.ts"

interface Binder {
  readonly project: Project
  /** The call as the user made it. */
  readonly asked: CommandRequest
  /** The options with the environments of the entry. */
  readonly options: SessionOptions
  /** The APIs that callsheet mocks. */
  readonly mocks: ReadonlySet<string>
  readonly problems: Problem[]
}

/**
 * Binds the APIs that a workflow needs, in the order of their first use. An error keeps the run from starting, a warning
 * doesn't.
 */
export function bindEnvironments(
  touched: readonly string[],
  { asked, options, mocks }: Pick<Binder, "asked" | "options" | "mocks">,
) {
  const { project } = asked
  const binder: Binder = { project, asked, options, mocks, problems: [] }
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
  if (files === undefined) return undefined // `plan` reports the position of the unknown name
  binder.problems.push(...files.problems, ...files.environments.problems)
  const overrides = overridesOf(binder.options, api)
  const service = serviceOf(binder, files.environments)
  if (service !== undefined) return bindService(binder, files.environments, { is: service, overrides })
  const chosen = chooseEnvironment(binder, api, [...files.environments.environments.keys()])
  if (chosen === undefined || hasErrors(files.environments.problems)) return undefined
  const { environment, problems } = resolveEnvironment({
    files: files.environments,
    name: chosen,
    overrides,
    processEnvironment: binder.options.processEnvironment ?? {},
  })
  binder.problems.push(...problems)
  return environment
}

/** Returns what stands in for an API. `--var` also overrides the address of a mock. */
function serviceOf(
  { mocks, options }: Binder,
  { api, service }: EnvironmentFiles,
): BoundService["is"] | undefined {
  if (service !== undefined) return service
  return mocks.has(api) && !overridesOf(options, api).has("baseUrl") ? "mock" : undefined
}

interface ServiceChoice {
  readonly is: BoundService["is"]
  readonly overrides: ReadonlyMap<string, string>
}

/**
 * Binds an API whose server callsheet starts. Uses the chosen environment or the only one, and works without any.
 * Variables may be missing, and nothing is sent to production.
 */
function bindService(
  { options, problems: all }: Binder,
  files: EnvironmentFiles,
  { is, overrides }: ServiceChoice,
): ResolvedEnvironment | undefined {
  if (hasErrors(files.problems)) return undefined
  const known = files.environments
  const [only = is] = known.size === 1 ? known.keys() : []
  const asked = chosenEnvironment(options, files.api) ?? only
  const name = known.has(asked) ? asked : is
  const nothing = { name, valueFile: { file: "", text: "" }, values: new Map(), secrets: new Map() }
  const { environment, problems } = resolveEnvironment({
    files: known.has(name) ? files : { ...files, environments: new Map([[name, nothing]]) },
    name,
    overrides,
    processEnvironment: options.processEnvironment ?? {},
  })
  all.push(...problems.filter(({ code }) => code !== "variable-missing"))
  const bound = { ...environment, level: "local", verifyTls: true } as const
  if (is === "mock") return { ...bound, service: { is }, variables: withCredentials(environment) }
  return overrides.has("baseUrl") ? bound : { ...bound, service: { is } }
}

/** Gives each secret without a value a text, because a mock accepts any credential. References aren't resolved. */
const withCredentials = ({ variables }: ResolvedEnvironment): ResolvedEnvironment["variables"] =>
  new Map(
    [...variables].map(([name, variable]) => {
      const { declaration, value, reference } = variable
      // A run with a client would ask the real provider for a token.
      if (name.endsWith("_clientId")) return [name, { name, declaration, from: "none" } as const]
      const isOpen = value === undefined || value === "" || reference !== undefined
      if (declaration.secret !== true || declaration.type !== "string" || !isOpen) return [name, variable]
      const { secret: _, ...open } = declaration
      return [name, { name, declaration: open, value: "mock", from: "none" } as const]
    }),
  )

function chooseEnvironment(binder: Binder, api: string, known: readonly string[]): string | undefined {
  const asked = chosenEnvironment(binder.options, api)
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
        : messages["env-ambiguous"].notChosen(api, known, wholeCommand(binder.asked)),
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

/**
 * Gives each declared input its value, if it has one. Ignores undeclared inputs, which belong to other workflows of the
 * session, and the inputs in `later`, whose values aren't known yet.
 */
export function settleInputs(
  workflow: Workflow,
  given: Readonly<Record<string, JsonValue>>,
  later?: ReadonlySet<string>,
) {
  const inputs = new Map<string, JsonValue>()
  const problems: Problem[] = []
  for (const [name, declaration] of Object.entries(workflow.inputs ?? {})) {
    if (later?.has(name) === true) continue
    const asked = ownOf(given, name)
    if (asked !== undefined) {
      const value = typedInput(asked, declaration.type)
      if (value === undefined)
        problems.push(toProblem(languageMessages["input-type"].wrong(name, declaration.type)))
      else inputs.set(name, value)
    } else if (declaration.default !== undefined) inputs.set(name, declaration.default)
    else if (declaration.required === true)
      problems.push(
        toProblem(messages["input-missing"].missing(name, declaration.type, declaration.description)),
      )
  }
  return { inputs, problems }
}

/** Throws if an input is given that no workflow of the session declares. */
export function refuseUnknownInputs(
  workflows: readonly Workflow[],
  given: Readonly<Record<string, unknown>>,
): void {
  const declared = new Set(workflows.flatMap((workflow) => Object.keys(workflow.inputs ?? {})))
  for (const name of Object.keys(given)) {
    if (declared.has(name)) continue
    throw new CallsheetError(messages["input-unknown"].unknown(name, [...declared], suggest(name, declared)))
  }
}
