// Builds the page's table of variables and environments. Omits the values of secrets.

import {
  getOrCreate,
  hasErrors,
  hideUrlCredentials,
  isJsonObject,
  parseJson,
  processVariableName,
  resolveEnvironment,
  type Environment,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type ResolvedVariable,
  type Scalar,
  type VariableDeclaration,
  ownOf,
  isHalfWritten,
} from "@callsheet/format"
import { fingerprint, hidingProblems } from "@callsheet/project"
import type {
  CellValue,
  CellView,
  EnvironmentColumn,
  EnvironmentsView,
  VariableView,
} from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

interface EnvironmentsSource {
  readonly files: EnvironmentFiles
  readonly masker: Masker
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly etagOf: (environment: Environment) => string
}

/** The maximum number of problems per environment. `problems.read` returns all of them. */
const MAX_PROBLEMS = 100

/** Builds the view. Links that lead out of the project have problems instead. */
export function environmentsView(given: EnvironmentsSource): EnvironmentsView {
  const source = withWholeSchema(given)
  const { files, masker } = source
  const show = createShowValue(masker)
  const problemsOf = findProblems(files.problems)
  const shown = (problems: readonly Problem[]) => maskProblems(problems.slice(0, MAX_PROBLEMS), masker)
  const path = `apis/${files.api}/environments/schema.json`
  const listed = [...files.environments.values()].filter(
    ({ valueFile }) => !problemsOf(valueFile.file).some(({ code }) => code === "link-outside"),
  )
  const parents = new Set(listed.map((environment) => environment.extends))
  return {
    api: files.api,
    schema: { path, etag: fingerprint(files.schemaFile?.text), problems: shown(problemsOf(path)) },
    variables: [...files.variables].map((declared) => variableView(source, declared, show)),
    environments: listed.map((environment) => {
      const { valueFile, secretsFile } = environment
      const problems = [...problemsOf(valueFile.file), ...problemsOf(secretsFile?.file)]
      return { ...columnOf(source, environment, problems), problems: shown(problems) }
    }),
    cells: Object.fromEntries(
      listed.map(({ name }) => [name, cellsOf({ files, name, show, isExtended: parents.has(name) })]),
    ),
  }
}

/** Declarations around a syntax error can't be edited, so the view has none. */
function withWholeSchema(source: EnvironmentsSource): EnvironmentsSource {
  const { files } = source
  const { schemaFile, problems } = files
  const isHalf = schemaFile !== undefined && isHalfWritten({ file: schemaFile.file, problems })
  return isHalf ? { ...source, files: { ...files, variables: new Map() } } : source
}

function findProblems(problems: readonly Problem[]): (file: string | undefined) => readonly Problem[] {
  const byFile = new Map<string | undefined, Problem[]>()
  for (const problem of problems) getOrCreate(byFile, problem.file, () => []).push(problem)
  return (file) => (file === undefined ? [] : (byFile.get(file) ?? []))
}

function variableView(
  { files, masker, processEnvironment }: EnvironmentsSource,
  [name, declaration]: readonly [string, VariableDeclaration],
  show: ShowValue,
): VariableView {
  const { type, required, secret = false, description, default: fallback } = declaration
  const variable = processVariableName(files.api, name)
  const shown = fallback === undefined || secret ? undefined : show(fallback)
  return {
    name,
    type,
    required,
    secret,
    description: description && masker.text(description),
    ...(shown === undefined ? {} : { default: shown.value }),
    isDefaultMasked: shown?.isMasked || undefined,
    hasSecretDefault: (secret && fallback !== undefined && fallback !== null) || undefined,
    processVariable: (ownOf(processEnvironment, variable) ?? "") === "" ? undefined : variable,
  }
}

function columnOf(
  { files, etagOf }: EnvironmentsSource,
  environment: Environment,
  problems: readonly Problem[],
): Omit<EnvironmentColumn, "problems"> {
  const { name, level, tls, extends: parent } = environment
  const { environment: resolved } = resolveEnvironment({ files: { ...files, variables: new Map() }, name })
  const verify = tls?.["verify"]
  return {
    name,
    ...(level === undefined ? {} : { level }),
    extends: parent,
    ...(tls === undefined ? {} : { tls: typeof verify === "boolean" ? { verify } : {} }),
    effectiveLevel: resolved.level,
    effectiveVerify: resolved.verifyTls,
    etag: etagOf(environment),
    isBroken: isBroken(environment, problems),
  }
}

function isBroken({ valueFile }: Environment, problems: readonly Problem[]): boolean {
  if (!hasErrors(problems)) return false
  if (hidingProblems(problems).length > 0) return true
  const parsed = parseJson(valueFile.text)
  return !parsed.ok || !isJsonObject(parsed.value)
}

interface Column {
  readonly files: EnvironmentFiles
  readonly name: string
  readonly show: ShowValue
  readonly isExtended: boolean
}

function cellsOf(column: Column): Readonly<Record<string, CellView>> {
  const { environment } = resolveEnvironment(column)
  return Object.fromEntries(
    [...environment.variables].map(([name, variable]) => [name, cellOf(variable, column)]),
  )
}

function cellOf(variable: ResolvedVariable, { files, name: column, show, isExtended }: Column): CellView {
  const { declaration, value, from, environment } = variable
  const isSecret = declaration.secret === true
  const place = from === "values" || from === "secrets" ? from : undefined
  const isInherited = place !== undefined && environment !== column
  const isNothing = place !== undefined && saysNothing(rawValue(files, variable), variable)
  const own = files.environments.get(column)?.values.get(variable.name)
  const isBroken = place !== undefined && value === undefined && !isNothing
  const isWanting = declaration.required && !isBroken && (value === undefined || value === "")
  const shown = isSecret ? undefined : showCell(value, isNothing, show)
  return {
    from: place === undefined ? (from === "default" ? "default" : "none") : isInherited ? "inherited" : "own",
    environment: isInherited ? environment : undefined,
    file: place ?? (isSecret ? "secrets" : "values"),
    value: shown?.value,
    isMissing: isWanting && !isExtended,
    ...(isWanting && isExtended ? { isLeftOpen: true } : {}),
    isNothing: isNothing || undefined,
    isBroken: isBroken || undefined,
    isCommitted: (isSecret && isGiven(own)) || undefined,
    isMasked: shown?.isMasked || undefined,
  }
}

function showCell(
  value: ResolvedVariable["value"],
  isNothing: boolean,
  show: ShowValue,
): { readonly value: CellValue; readonly isMasked: boolean } | undefined {
  if (value !== undefined) return show(value)
  return isNothing ? { value: null, isMasked: false } : undefined
}

function rawValue(
  { environments }: EnvironmentFiles,
  { name, from, environment = "" }: ResolvedVariable,
): JsonValue | undefined {
  const source = environments.get(environment)
  return from === "secrets" ? source?.secrets.get(name) : source?.values.get(name)
}

/**
 * Returns whether a file says "no value". In a secrets file, this is possible only for a number or a boolean, with an
 * empty string.
 */
const saysNothing = (raw: JsonValue | undefined, { from, declaration }: ResolvedVariable): boolean =>
  from === "secrets" ? raw === "" && declaration.type !== "string" : raw === null

/** Returns false for null and for an empty string, array or object. */
const isGiven = (value: JsonValue = null): boolean =>
  typeof value === "object" ? Object.keys(value ?? {}).length > 0 : value !== ""

interface ShownValue {
  readonly value: CellValue
  readonly isMasked: boolean
}

type ShowValue = (value: Scalar | null) => ShownValue

/** Creates a function that masks each value once, because environments inherit most values. */
function createShowValue(masker: Masker): ShowValue {
  const seen = new Map<Scalar | null, ShownValue>()
  return (value) => getOrCreate(seen, value, () => showValue(value, masker))
}

function showValue(value: Scalar | null, masker: Masker): ShownValue {
  // A boolean reveals nothing about a secret. If booleans were masked, a boolean secret would make every switch
  // uneditable.
  if (typeof value === "boolean" || value === null) return { value, isMasked: false }
  const text = String(value)
  const shown = hideUrlCredentials(masker.text(text))
  if (masker.occursIn(text) || hideUrlCredentials(text) !== text) return { value: shown, isMasked: true }
  return { value: typeof value === "bigint" ? text : value, isMasked: false }
}
