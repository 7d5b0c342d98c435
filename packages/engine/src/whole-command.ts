// The command that would have worked, to be pasted: what was asked for, and an environment for every API.

import {
  extendsChain,
  stringifyJson,
  touchedApis,
  type EnvironmentFiles,
  type JsonValue,
  type Project,
} from "@callsheet/format"
import type { SessionOptions } from "./session-options.ts"

interface Asked {
  readonly project: Project
  /** Names, in the order in which they run. */
  readonly workflows: readonly string[]
  readonly options: SessionOptions
}

/** `callsheet run checkout --env shop=local …`: a choice that was made stays, and no secret is written out. */
export function wholeCommand({ project, workflows, options }: Asked): string {
  const touched = new Set(
    workflows.flatMap((name) => touchedApis(project.workflows.get(name)?.workflow?.blocks ?? [])),
  )
  const bindings = [...touched].map((api) => {
    const own = options.environments
    const asked = own !== undefined && Object.hasOwn(own, api) ? own[api] : options.environment
    return `--env ${api}=${asked ?? harmless(project.apis.get(api)?.environments) ?? "local"}`
  })
  const inputs = Object.entries(options.inputs ?? {}).map(
    ([name, value]) => `--input ${shellWord(`${name}=${textOf(value)}`)}`,
  )
  return [
    "callsheet run",
    ...workflows,
    ...bindings,
    ...inputs,
    ...variables(project, options),
    ...settings(options),
  ].join(" ")
}

/** The name of an environment whose level asks no question, if there is one. */
function harmless(files: EnvironmentFiles | undefined): string | undefined {
  if (files === undefined) return undefined
  const levels = { local: 0, staging: 1, production: 2 }
  const [best] = [...files.environments.keys()]
    .map((name) => ({
      name,
      level:
        extendsChain(files.environments, name).find(({ level }) => level !== undefined)?.level ?? "local",
    }))
    .sort((a, b) => levels[a.level] - levels[b.level])
  return best?.name
}

function variables(project: Project, { overrides = [] }: SessionOptions): readonly string[] {
  return overrides.map(({ api, name, value }) => {
    const declaration = project.apis.get(api)?.environments.variables.get(name)
    const isSecret = declaration === undefined || declaration.secret === true
    return `--var ${isSecret ? `${api}.${name}=-` : shellWord(`${api}.${name}=${value}`)}`
  })
}

function settings(options: SessionOptions): readonly string[] {
  const { concurrency, onFailure, timeoutMs, maxResponseBytes, seed } = options
  return Object.entries({
    concurrency,
    "on-failure": onFailure,
    timeout: timeoutMs,
    "max-response-size": maxResponseBytes,
    seed,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]))
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : stringifyJson(value))

const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
