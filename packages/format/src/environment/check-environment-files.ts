// Parses and checks one API's `environments/` directory.

import { messages } from "../messages.ts"
import { byPosition, hasErrors, toProblem, type Problem } from "../problems.ts"
import type { SourceFile } from "../source.ts"
import { suggest } from "../text/did-you-mean.ts"
import { isEnvironmentName } from "../workflow/names.ts"
import { checkChains, type CheckedEnvironment } from "./check-chains.ts"
import { checkSchema, schemaOf, type CheckedSchema } from "./check-schema.ts"
import { checkSecretsFile, checkValueFile } from "./check-values.ts"
import type { EnvironmentFiles } from "./types.ts"

interface EnvironmentFolder {
  readonly api: string
  /** `schema.json`, `*.json` and `*.secrets.env`; other files are ignored. */
  readonly files: readonly SourceFile[]
  readonly unreadable?: readonly Problem[]
}

/** Reads one API's environment files. A broken environment is listed without values, so that it is not reported as missing. */
export function checkEnvironmentFiles({ api, files, unreadable = [] }: EnvironmentFolder): EnvironmentFiles {
  const folder = sortFiles(files, unreadable)
  const schema = readSchema(folder)
  const checked = new Map<string, CheckedEnvironment>()
  for (const [name, valueFile] of folder.values) {
    if (!isEnvironmentName(name)) continue
    checked.set(name, readEnvironment(folder, [name, valueFile], schema))
  }
  const problems = [
    ...unreadable,
    ...schema.problems,
    ...checkNames(folder),
    ...[...checked.values()].flatMap((one) => one.problems),
    ...checkChains(checked),
  ]
  return {
    api,
    schemaFile: folder.schemaFile,
    variables: schema.variables,
    declared: schema.names,
    environments: new Map([...checked].map(([name, { environment }]) => [name, environment])),
    problems: inFileOrder(problems),
  }
}

interface SortedFolder {
  readonly schemaFile: SourceFile | undefined
  /** Value files by environment name, sorted. An unreadable file has an empty text. */
  readonly values: ReadonlyMap<string, SourceFile>
  readonly secrets: ReadonlyMap<string, SourceFile>
  readonly unreadable: ReadonlySet<string>
}

const SECRETS_ENDING = ".secrets.env"

function sortFiles(files: readonly SourceFile[], problems: readonly Problem[]): SortedFolder {
  const unreadable = problems.flatMap(({ file }) => (file === undefined ? [] : [file]))
  const all = [...files, ...unreadable.map((file) => ({ file, text: "" }))]
  const values = new Map<string, SourceFile>()
  const secrets = new Map<string, SourceFile>()
  let schemaFile: SourceFile | undefined
  for (const source of all.sort((a, b) => compare(rank(a.file), rank(b.file)))) {
    const name = baseName(source.file)
    if (name === "schema.json") schemaFile = source
    else if (name.endsWith(".json")) values.set(name.slice(0, -".json".length), source)
    else if (name.endsWith(SECRETS_ENDING)) secrets.set(name.slice(0, -SECRETS_ENDING.length), source)
  }
  return { schemaFile, values, secrets, unreadable: new Set(unreadable) }
}

const baseName = (file: string): string => file.slice(file.lastIndexOf("/") + 1)

// The schema sorts first, then each environment's value file followed by its secrets file.
function rank(file: string): string {
  const name = baseName(file)
  if (name === "schema.json") return ""
  return name.endsWith(SECRETS_ENDING)
    ? `${name.slice(0, -SECRETS_ENDING.length)}\u00002`
    : `${name.replace(/\.json$/, "")}\u00001`
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function readSchema({ schemaFile, unreadable }: SortedFolder): CheckedSchema {
  if (schemaFile === undefined) return schemaOf([])
  return unreadable.has(schemaFile.file) ? schemaOf(undefined) : checkSchema(schemaFile)
}

function readEnvironment(
  folder: SortedFolder,
  [name, valueFile]: readonly [string, SourceFile],
  schema: CheckedSchema,
): CheckedEnvironment {
  const secretsFile = folder.secrets.get(name)
  const { secrets, problems: ofSecrets } =
    secretsFile === undefined || folder.unreadable.has(secretsFile.file)
      ? { secrets: new Map<string, string>(), problems: [] }
      : checkSecretsFile(secretsFile, schema)
  const files = { name, valueFile, secretsFile, secrets }
  if (folder.unreadable.has(valueFile.file)) {
    return { environment: { ...files, values: new Map() }, isBroken: true, problems: ofSecrets }
  }
  const { problems, problemAt, ...own } = checkValueFile(valueFile, schema)
  return {
    environment: { ...files, ...own },
    isBroken: hasErrors(problems),
    problems: [...problems, ...ofSecrets],
    problemAt,
  }
}

function checkNames({ values, secrets }: SortedFolder): readonly Problem[] {
  const problems: Problem[] = []
  const { invalid, twins } = messages["env-name"]
  const byLowerCase = new Map<string, string>()
  for (const [name, { file }] of values) {
    const twin = byLowerCase.get(name.toLowerCase())
    byLowerCase.set(name.toLowerCase(), twin ?? name)
    if (!isEnvironmentName(name)) problems.push(toProblem(invalid(name), file))
    else if (twin !== undefined) problems.push(toProblem(twins(twin, name), file))
  }
  for (const [name, { file }] of secrets) {
    if (values.has(name)) continue
    const stranded = messages["env-missing"].strandedSecrets(name, suggest(name, values.keys()))
    problems.push(toProblem(stranded, file))
  }
  return problems
}

const inFileOrder = (problems: readonly Problem[]): readonly Problem[] =>
  byPosition(problems).toSorted((a, b) => compare(rank(a.file ?? ""), rank(b.file ?? "")))
