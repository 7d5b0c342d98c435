// The environments of an API as the page shows them: a table of variables by environments. No value of a secret is in it.

import {
  hasErrors,
  isJsonObject,
  parseJson,
  processVariableName,
  resolveEnvironment,
  type Environment,
  type EnvironmentFiles,
  type Problem,
  type VariableDeclaration,
} from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import { fingerprint } from "@callsheet/project"
import type { EnvironmentColumn, EnvironmentsView, VariableView } from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-problems.ts"
import { cellsOf } from "./cell-view.ts"
import { createShowValue, type ShowValue } from "./show-values.ts"

interface EnvironmentsSource {
  readonly files: EnvironmentFiles
  readonly masker: Masker | undefined
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly etagOf: (environment: Environment) => string
}

/** Of one environment; `problems.read` has them all. */
const MAX_PROBLEMS = 100

/** Links that lead out of the project are not listed; the problems name them. */
export function environmentsView(source: EnvironmentsSource): EnvironmentsView {
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
    variables: [...files.variables].map(([name, declaration]) =>
      variableView(source, { name, declaration, show }),
    ),
    environments: listed.map((environment) => {
      const { valueFile, secretsFile } = environment
      const problems = [...problemsOf(valueFile.file), ...problemsOf(secretsFile?.file)]
      return { ...columnOf(source, environment, problems), problems: shown(problems) }
    }),
    cells: Object.fromEntries(
      listed.map(({ name }) => [name, cellsOf(files, name, { show, isExtended: parents.has(name) })]),
    ),
  }
}

function findProblems(problems: readonly Problem[]): (file: string | undefined) => readonly Problem[] {
  const byFile = new Map<string | undefined, Problem[]>()
  for (const problem of problems) {
    const list = byFile.get(problem.file)
    if (list === undefined) byFile.set(problem.file, [problem])
    else list.push(problem)
  }
  return (file) => (file === undefined ? [] : (byFile.get(file) ?? []))
}

interface Declared {
  readonly name: string
  readonly declaration: VariableDeclaration
  readonly show: ShowValue
}

function variableView(
  { files, masker, processEnvironment }: EnvironmentsSource,
  { name, declaration, show }: Declared,
): VariableView {
  const { type, required, secret = false, description, default: fallback } = declaration
  const variable = processVariableName(files.api, name)
  const shown = fallback === undefined || secret ? undefined : show(fallback)
  return {
    name,
    type,
    required,
    secret,
    description: description && (masker?.text(description) ?? description),
    ...(shown === undefined ? {} : { default: shown.value }),
    ...(shown?.isMasked === true ? { isDefaultMasked: true } : {}),
    ...(secret && fallback !== undefined && fallback !== null ? { hasSecretDefault: true } : {}),
    ...((processEnvironment[variable] ?? "") === "" ? {} : { processVariable: variable }),
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

const hidesAll = new Set<Problem["code"]>([
  "json-syntax",
  "file-encoding",
  "file-unreadable",
  "file-conflict",
  "dotenv-syntax",
  "link-outside",
])

function isBroken({ valueFile }: Environment, problems: readonly Problem[]): boolean {
  if (!hasErrors(problems)) return false
  if (problems.some(({ code, severity }) => severity === "error" && hidesAll.has(code))) return true
  const parsed = parseJson(valueFile.text)
  return !parsed.ok || !isJsonObject(parsed.value)
}
