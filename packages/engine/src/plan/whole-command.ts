// Builds a complete command to paste: the given options, and an environment for every API.

import {
  extendsChain,
  flagOf,
  hasErrors,
  levelOf,
  ownOf,
  resolveEnvironment,
  runOptionNames,
  runOptionRows,
  secretValues,
  shellWordFor,
  toText,
  touchedApis,
  hideUrlCredentials,
  urlCredentials,
  type Api,
  type EnvironmentFiles,
  type Project,
  type RunOptionRow,
} from "@callsheet/format"
import { createMasker, type SecretValue } from "../outlet/mask.ts"
import { entriesOf, type Schedule } from "./schedule.ts"
import type { SessionOptions } from "../session/session-options.ts"

export interface CommandRequest {
  readonly project: Project
  /** The names of the workflows, in the order in which they run. */
  readonly workflows: readonly string[]
  readonly schedule?: Schedule | undefined
  readonly options: SessionOptions
}

/**
 * Returns `callsheet run checkout --env …`. Masks inputs before it quotes them, because quoting hides a secret from
 * masking.
 */
export function wholeCommand(asked: CommandRequest): string {
  const { project, workflows, schedule, options } = asked
  const touched = new Set(
    workflows.flatMap((name) => touchedApis(project.workflows.get(name)?.workflow?.blocks ?? [])),
  )
  const inFile = environmentsInFile(asked)
  const bindings = [...touched].flatMap((api) => {
    const chosen = chosenEnvironment(options, api)
    if (chosen === undefined && (inFile.has(api) || isService(project.apis.get(api)))) return []
    return `--env ${api}=${chosen ?? harmless(options, project.apis.get(api)?.environments) ?? "local"}`
  })
  const given = Object.entries(options.inputs ?? {})
  const mask = createMasker(given.length === 0 ? [] : possibleSecrets(asked, touched))
  const inputs = given.map(
    ([name, value]) => `--input ${shellWordFor(`${name}=${hideUrlCredentials(toText(mask.value(value)))}`)}`,
  )
  return [
    options.command ?? "callsheet run",
    ...(schedule?.name === undefined ? workflows : ["--suite", schedule.name]),
    ...(schedule?.grep === undefined ? [] : ["--grep", shellWordFor(schedule.grep)]),
    ...(schedule?.lastFailed === true ? ["--last-failed"] : []),
    ...bindings,
    ...inputs,
    ...variables(project, options),
    ...settings(options),
  ].join(" ")
}

const isService = (api: Api | undefined): boolean => api?.environments.service !== undefined

/** Returns the APIs whose environment `callsheet.json` chooses. An option would override it for every entry. */
const environmentsInFile = ({ schedule, options }: CommandRequest): ReadonlySet<string> =>
  new Set([
    ...Object.keys(options.defaultEnvironments ?? {}),
    ...(schedule === undefined ? [] : [...entriesOf(schedule)]).flatMap(({ entry }) =>
      Object.keys(entry.env),
    ),
  ])

export const chosenEnvironment = (options: SessionOptions, api: string): string | undefined =>
  ownOf(options.environments ?? {}, api) ?? options.environment

/** Yields the secrets of all environments to which each API may be bound. */
function* possibleSecrets(
  { project, options }: CommandRequest,
  touched: ReadonlySet<string>,
): Generator<SecretValue> {
  for (const api of touched) {
    const files = project.apis.get(api)?.environments
    if (files === undefined) continue
    const chosen = chosenEnvironment(options, api)
    for (const name of files.environments.keys()) {
      if (chosen !== undefined && chosen !== name) continue
      const { environment } = resolveEnvironment({
        files,
        name,
        overrides: overridesOf(options, api),
        processEnvironment: options.processEnvironment ?? {},
      })
      for (const { value } of secretValues(environment)) yield value
    }
  }
}

export const overridesOf = (options: SessionOptions, api: string): ReadonlyMap<string, string> =>
  new Map(
    (options.overrides ?? []).filter((given) => given.api === api).map((given) => [given.name, given.value]),
  )

/** Returns the environment with the lowest level. Prefers one that has all required values. */
function harmless(options: SessionOptions, files: EnvironmentFiles | undefined): string | undefined {
  if (files === undefined) return undefined
  const overrides = overridesOf(options, files.api)
  const processEnvironment = options.processEnvironment ?? {}
  const levels = { local: 0, staging: 1, production: 2 }
  const [best] = [...files.environments.keys()]
    .map((name) => {
      const { problems } = resolveEnvironment({ files, name, overrides, processEnvironment })
      const level = levels[levelOf(extendsChain(files.environments, name))]
      return { name, rank: hasErrors(problems) ? level + 3 : level }
    })
    .sort((a, b) => a.rank - b.rank)
  return best?.name
}

function variables(project: Project, { overrides = [] }: SessionOptions): readonly string[] {
  return overrides.map(({ api, name, value }) => {
    const declaration = project.apis.get(api)?.environments.variables.get(name)
    const isSecret =
      declaration === undefined || declaration.secret === true || urlCredentials(value).length > 0
    return `--var ${isSecret ? `${api}.${name}=-` : shellWordFor(`${api}.${name}=${value}`)}`
  })
}

function settings(options: SessionOptions): readonly string[] {
  const rows = runOptionNames.flatMap((name) => {
    const row: RunOptionRow = runOptionRows[name]
    const value = options[name]
    const word = shellWordFor(String(value))
    return value === undefined ? [] : [`${flagOf(row)}${row.bare === undefined ? " " : "="}${word}`]
  })
  return [
    ...(options.part !== undefined && "until" in options.part
      ? [`--until ${shellWordFor(options.part.until)}`]
      : []),
    ...(options.data === undefined ? [] : [`--data ${shellWordFor(options.data.path)}`]),
    ...rows,
    ...(options.trace === true ? ["--trace"] : []),
    ...(options.trace === "production" ? ["--trace=production"] : []),
    ...(options.guessesSecrets === false ? ["--no-guess-secrets"] : []),
  ]
}
