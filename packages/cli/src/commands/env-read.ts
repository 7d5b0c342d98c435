// `callsheet env list` and `callsheet env read`: list environments, and show an environment's values and their sources.

import {
  CallsheetError,
  extendsChain,
  formatMessages,
  hideUrlCredentials,
  hasErrors,
  resolveEnvironment,
  stringifyJson,
  suggest,
  levelOf,
  type EnvironmentFiles,
  type ResolvedEnvironment,
  type ResolvedVariable,
  type Scalar,
} from "@callsheet/format"
import { openProject, readEnvironments, listApiNames } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { messages, notices } from "../messages.ts"
import { knownApi, openRoot } from "../open-root.ts"
import { printProblems } from "../report-error.ts"
import type { Output } from "../screen.ts"
import { jsonDocument } from "../text/json-document.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { maskOf, maskProblems } from "../mask-files.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"

const HIDDEN = "***"

export const envRead: Command = async (call) => {
  const { words, options, screen } = call
  const [api = "", name = "", variable] = words
  const project = openProject(await openRoot(call))
  const files = readEnvironments(project, knownApi(project, api))
  requireAllowedName(files, name)
  const { environment: resolved, problems } = await withSecrets(
    resolve(files, name, call),
    project.root,
    call,
  )
  const parent = resolved.extends
  // A parent that doesn't exist may be a secret in the wrong field, so mask it.
  const environment =
    parent === undefined || files.environments.has(parent)
      ? resolved
      : { ...resolved, extends: (await maskOf([files], call.environment))(parent) }
  printProblems(await maskProblems(problems, [files], call.environment), screen.err)
  const isBroken = hasErrors(problems)
  if (variable !== undefined) printOne({ environment, isBroken }, variable, call)
  else if (options.has("json")) {
    screen.out.write(jsonDocument(toJson(environment, options.has("reveal"))))
  } else screen.out.write(toText(environment, options.has("reveal"), screen.out))
  return isBroken ? 2 : 0
}

/** Throws if the environment's file exists but its name isn't allowed. */
function requireAllowedName({ api, environments, problems }: EnvironmentFiles, name: string): void {
  if (environments.has(name)) return
  const refused = problems.find(
    ({ code, file }) => code === "env-name" && file === `apis/${api}/environments/${name}.json`,
  )
  if (refused !== undefined) throw new CallsheetError(refused, { problems: [refused] })
}

function resolve(files: EnvironmentFiles, name: string, call: CommandCall) {
  const { environment, problems } = resolveEnvironment({ files, name, processEnvironment: call.environment })
  const chain = extendsChain(files.environments, name)
  const read = new Set(chain.flatMap((link) => [link.valueFile.file, link.secretsFile?.file]))
  const ofFiles = files.problems.filter(({ file }) => file === files.schemaFile?.file || read.has(file))
  // Show the other values even if some are missing.
  const others = problems.filter(({ code }) => code !== "variable-missing")
  return {
    environment: call.options.has("own") ? ownOnly(files, environment) : environment,
    problems: [...ofFiles, ...others],
  }
}

type EnvironmentResult = ReturnType<typeof resolve>

/** Resolves references to secrets if the call reveals them. Otherwise starts no program. */
async function withSecrets(
  read: EnvironmentResult,
  root: string,
  call: CommandCall,
): Promise<EnvironmentResult> {
  const { options, words, environment: processEnvironment } = call
  const [, , wanted] = words
  const variables = [...read.environment.variables].filter(
    ([name, { reference }]) => reference !== undefined && (wanted === undefined || wanted === name),
  )
  if (!options.has("reveal") || variables.length === 0) return read
  const { resolveSecrets } = await import("@callsheet/engine")
  const wantedOnly = { ...read.environment, variables: new Map(variables) }
  const { environment, problems } = await resolveSecrets(wantedOnly, { root, processEnvironment })
  return {
    environment: {
      ...read.environment,
      variables: new Map([...read.environment.variables, ...environment.variables]),
    },
    problems: [...read.problems, ...problems],
  }
}

function ownOnly(files: EnvironmentFiles, whole: ResolvedEnvironment): ResolvedEnvironment {
  const environments = [...files.environments].map(
    ([name, { extends: _parent, ...own }]) => [name, own] as const,
  )
  const { environment } = resolveEnvironment({
    files: { ...files, environments: new Map(environments) },
    name: whole.name,
  })
  const own = [...environment.variables].filter(([, { from }]) => from === "values" || from === "secrets")
  return { ...whole, variables: new Map(own) }
}

interface PrintedEnvironment {
  readonly environment: ResolvedEnvironment
  readonly isBroken: boolean
}

function printOne(
  { environment, isBroken }: PrintedEnvironment,
  name: string,
  { options, screen }: CommandCall,
): void {
  const variable = environment.variables.get(name)
  if (variable === undefined) throw unknownVariable(environment, name, options.has("own"))
  if (variable.value === undefined) {
    const why = isBroken ? undefined : notices.whyNoValue(variable.file)
    throw new CallsheetError(messages["variable-missing"].noValue(name, environment.name, why))
  }
  const value = shownValue(variable, options.has("reveal")) ?? variable.value
  const text = options.has("json") ? breakCommandsInJson(stringifyJson(value)) : String(value)
  if (screen.out.isTerminal) screen.out.write(`${printable(text, "lines")}\n`)
  else screen.out.write(`${text}\n`, "exact")
  if (value === variable.value) return
  screen.err.write(`${notices.hiddenValue(name, variable.declaration.secret === true)}\n`)
}

function unknownVariable({ api, name, variables }: ResolvedEnvironment, wanted: string, own: boolean) {
  const suggestion = suggest(wanted, variables.keys())
  return new CallsheetError(
    own
      ? messages["variable-missing"].noOwnValue(wanted, name, suggestion)
      : formatMessages["variable-undeclared"].override(api, wanted, suggestion),
  )
}

function toJson({ api, name, level, extends: parent, variables }: ResolvedEnvironment, reveal: boolean) {
  const shown = [...variables].map(([key, variable]) => [key, variableJson(variable, reveal)])
  return { api, environment: name, level, extends: parent, variables: Object.fromEntries(shown) }
}

const variableJson = (variable: ResolvedVariable, reveal: boolean): object => ({
  value: shownValue(variable, reveal),
  type: variable.declaration.type,
  secret: variable.declaration.secret === true,
  from: variable.from,
  environment: variable.environment,
  file: variable.file,
})

function shownValue({ value, declaration }: ResolvedVariable, reveal: boolean): Scalar | undefined {
  if (value === undefined || reveal) return value
  if (declaration.secret === true) return HIDDEN
  return typeof value === "string" ? hideUrlCredentials(value) : value
}

function toText(environment: ResolvedEnvironment, reveal: boolean, { style }: Output): string {
  const { api, name, level, extends: parent, variables } = environment
  const title = `${style("bold", `${api} ${name}`)}  level ${level}${parent === undefined ? "" : `  extends ${printable(parent)}`}\n`
  if (variables.size === 0) return `${title}${notices.noVariables()}\n`
  const rows = [...variables.values()].map((variable) => [
    variable.name,
    printable(String(shownValue(variable, reveal) ?? "")),
    origin(variable),
    variable.file ?? "",
  ])
  return title + tableText(["NAME", "VALUE", "FROM", "FILE"], rows, style)
}

function origin({ from, value, declaration }: ResolvedVariable): string {
  if (from === "none") return declaration.required ? "missing" : "none"
  return value === undefined ? `${from} (no value)` : from
}

/** Lists the environments of one API or of all. If a file is invalid, lists it and returns 2. */
export const envList: Command = async (call) => {
  const { words, options, screen } = call
  const project = openProject(await openRoot(call))
  const [api] = words
  const apis = api === undefined ? listApiNames(project) : [knownApi(project, api)]
  const files = apis.map((name) => readEnvironments(project, name))
  const broken = files.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error")
  const all = files.flatMap(rowsOf)
  // A parent that doesn't exist may be a secret in the wrong field, so mask it.
  const mask = all.every(({ isKnown }) => isKnown) ? undefined : await maskOf(files, call.environment)
  const rows = all.map(({ isKnown, ...row }) =>
    isKnown || mask === undefined ? row : { ...row, extends: mask(row.extends ?? "") },
  )
  if (options.has("json")) {
    screen.out.write(jsonDocument(rows))
  } else if (rows.length > 0) {
    const cells = rows.map((row) => [row.api, row.name, row.level, printable(row.extends ?? "")])
    screen.out.write(tableText(["API", "ENVIRONMENT", "LEVEL", "EXTENDS"], cells, screen.out.style))
  } else screen.err.write(`${notices.noEnvironments()}\n`)
  printProblems(await maskProblems(broken, files, call.environment), screen.err)
  return broken.length > 0 ? 2 : 0
}

const rowsOf = ({ api, environments }: EnvironmentFiles) =>
  [...environments.values()].map(({ name, extends: parent }) => ({
    api,
    name,
    level: levelOf(extendsChain(environments, name)),
    extends: parent,
    isKnown: parent === undefined || environments.has(parent),
  }))
