// Parses and checks one API's `environments/` directory. No message contains a value or a line of a secrets file.

import { messages } from "../messages.ts"
import { byPosition, type Finding, hasErrors, type Problem, toProblem } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import { parseJson } from "../json/parse-json.ts"
import type { Damage } from "../json/recover-json.ts"
import { problemsAtOffsets, type SourceFile } from "../source.ts"
import { withReplacement } from "../replacement.ts"
import { createSuggester, suggest } from "../text/did-you-mean.ts"
import { isEnvironmentName } from "../workflow/names.ts"
import type { VariableDeclaration } from "./shapes.ts"
import type { Environment, EnvironmentFiles } from "./types.ts"
import { isJsonObject, type JsonObject, type JsonValue, member } from "../json/value.ts"
import { environmentSchemaShape, INBOX, isReserved, reservedKeys, valueFileShape } from "./shapes.ts"
import { coerceText } from "./coerce-text.ts"
import { secretReference } from "./secret-reference.ts"
import { type ParsedSecretsFile, parseSecretsFile, type SecretsEntry } from "./parse-secrets-file.ts"

interface EnvironmentFolder {
  readonly api: string
  /** The directory's `schema.json`, `*.json` and `*.secrets.env` files. Other files are ignored. */
  readonly files: readonly SourceFile[]
  readonly unreadable?: readonly Problem[]
}

/**
 * Reads one API's environment files. Lists a broken environment without values, so that no other check reports it as
 * missing.
 */
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
    ...(api === INBOX && checked.size === 0 ? { service: INBOX } : {}),
    variables: schema.variables,
    declared: schema.names,
    environments: new Map([...checked].map(([name, { environment }]) => [name, environment])),
    ...strandedIn(folder, checked),
    problems: byPosition(problems).toSorted((a, b) => compare(rank(a.file ?? ""), rank(b.file ?? ""))),
  }
}

/** Finds the secrets that no environment has. They are secrets all the same, which no output may show. */
function strandedIn(
  { secrets }: SortedFolder,
  checked: ReadonlyMap<string, CheckedEnvironment>,
): Pick<EnvironmentFiles, "strandedSecrets"> {
  const strandedSecrets = [...secrets].flatMap(([environment, { text }]) => {
    const used = checked.get(environment)?.environment.secrets
    return parseSecretsFile(text).entries.flatMap(({ name, value }) =>
      used?.get(name) === value ? [] : [{ name, value }],
    )
  })
  return strandedSecrets.length === 0 ? {} : { strandedSecrets }
}

type SortedFolder = ReturnType<typeof sortFiles>

const SECRETS_ENDING = ".secrets.env"

/** Sorts files and groups them by environment name. An unreadable file counts as empty. */
function sortFiles(files: readonly SourceFile[], problems: readonly Problem[]) {
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
  const misnamed = schemaFile === undefined ? [...values].find(([, file]) => isSchema(file)) : undefined
  if (misnamed !== undefined) values.delete(misnamed[0])
  return { schemaFile, misnamed: misnamed?.[1], values, secrets, unreadable: new Set(unreadable) }
}

/** Returns whether a file declares variables, as only `schema.json` does. */
function isSchema({ text }: SourceFile): boolean {
  if (!text.includes('"variables"')) return false
  const parsed = parseJson(text)
  return parsed.ok && isJsonObject(parsed.value) && isJsonObject(parsed.value["variables"])
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

function readSchema({ schemaFile, misnamed, unreadable }: SortedFolder): CheckedSchema {
  // Unknown names, so that the other files report no problems that the new name solves.
  if (misnamed !== undefined)
    return schemaOf(undefined, [toProblem(messages["env-name"].misnamedSchema(), misnamed.file)])
  if (schemaFile === undefined) return schemaOf([])
  return unreadable.has(schemaFile.file) ? schemaOf(undefined) : checkSchema(schemaFile)
}

const noSecrets = { secrets: new Map<string, string>(), problems: [] }

function readEnvironment(
  folder: SortedFolder,
  [name, valueFile]: readonly [string, SourceFile],
  schema: CheckedSchema,
): CheckedEnvironment {
  const secretsFile = folder.secrets.get(name)
  const { secrets, problems: ofSecrets } =
    secretsFile === undefined ? noSecrets : checkSecretsFile(secretsFile, schema)
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

type CheckedSchema = ReturnType<typeof schemaOf>

/**
 * Builds an API's schema. `names` contains every declared name, valid or not. It is undefined if `schema.json` can't be
 * read. `variables` contains the valid declarations in file order.
 */
function schemaOf(
  names: readonly string[] | undefined,
  problems: readonly Problem[] = [],
  variables: ReadonlyMap<string, VariableDeclaration> = new Map(),
) {
  const suggest = createSuggester([...variables.keys(), ...reservedKeys])
  return {
    variables,
    names: names === undefined ? undefined : new Set(names),
    problems,
    suggest,
    secrets: [...variables].filter(([, { secret }]) => secret === true).map(([name]) => name),
    valueFile: valueFileShape({ variables, names, suggest }),
  }
}

/** Reads and checks one API's declarations. Leaves out those with errors, which already stop a run. */
function checkSchema(source: SourceFile): CheckedSchema {
  const { json, recovered, findings, problems, problemAt } = checkFile(source, environmentSchemaShape)
  const damage = recovered?.damage ?? []
  // The second key of a pointer is the variable's name.
  const broken = new Set([...findings, ...damage].map(({ pointer: [, name] }) => name))
  const isSound = (name: string, value: JsonValue): value is JsonObject & VariableDeclaration =>
    isJsonObject(value) && !broken.has(name)
  const declared = member(json, "variables")
  if (!isJsonObject(declared)) return schemaOf(undefined, problems)
  const variables = new Map<string, VariableDeclaration>()
  for (const [name, value] of Object.entries(declared)) {
    if (!isSound(name, value)) continue
    // `null` means "no value", as in a value file.
    const isCommitted =
      (value.default ?? null) !== null && secretReference(value, value.default) === undefined
    if (value.secret === true && isCommitted) {
      const finding = messages["secret-default"].secretDefault(name)
      problems.push(problemAt(["variables", name, "default"], "value", finding))
    }
    variables.set(name, value)
  }
  return schemaOf(damage.some(hidesNames) ? undefined : Object.keys(declared), problems, variables)
}

/** Returns whether declarations may be missing because of a syntax error. */
function hidesNames({ pointer, isLost }: Damage): boolean {
  const [first, ...rest] = pointer
  return (
    first === undefined || (first === "variables" && (rest.length === 0 || (isLost && rest.length === 1)))
  )
}

function checkValueFile(source: SourceFile, schema: CheckedSchema) {
  const file = checkFile(source, schema.valueFile)
  const { json, recovered, findings, problems, problemAt: makeProblem } = file
  const problemAt = (key: string, finding: Finding) => makeProblem([key], "value", finding)
  if (!isJsonObject(json)) return { values: new Map<string, JsonValue>(), problems, problemAt }
  const errors = findings.filter(({ severity }) => severity !== "warning")
  const broken = new Set([...errors, ...(recovered?.damage ?? [])].map(({ pointer: [key] }) => key))
  const values = new Map<string, JsonValue>(Object.entries(json))
  for (const key of reservedKeys) values.delete(key)
  for (const key of schema.secrets) {
    const value = values.get(key) ?? ""
    if (value !== "" && secretReference(schema.variables.get(key), value) === undefined)
      problems.push(makeProblem([key], "key", messages["secret-committed"].committed(key)))
  }
  return { ...reservedValues(json, broken), values, problems, problemAt }
}

function reservedValues(
  file: JsonObject,
  broken: ReadonlySet<unknown>,
): Pick<Environment, "extends" | "level" | "tls"> {
  const sound = reservedKeys.filter((key) => Object.hasOwn(file, key) && !broken.has(key))
  return Object.fromEntries(sound.map((key) => [key, file[key]]))
}

function checkSecretsFile(source: SourceFile, schema: CheckedSchema) {
  const parsed = parseSecretsFile(source.text)
  // The last assignment of a name takes effect, so only that one is checked against the declaration.
  const last = [...new Map(parsed.entries.map((entry) => [entry.name, entry])).values()]
  const findings = last.flatMap((entry) => findingFor(entry, schema, parsed) ?? [])
  return {
    secrets: new Map(last.map(({ name, value }) => [name, value])),
    problems: problemsAtOffsets(source, [...parsed.findings, ...findings]),
  }
}

function findingFor(
  { name, value, nameStart, valueStart }: SecretsEntry,
  schema: CheckedSchema,
  { findings }: ParsedSecretsFile,
): (Finding & { offset: number }) | undefined {
  const { variables, names } = schema
  const declaration = variables.get(name)
  if (declaration === undefined) {
    if (names === undefined || names.has(name)) return undefined
    return { ...undeclared(name, schema, findings.length > 0), offset: nameStart }
  }
  const { type } = declaration
  // In a secrets file, an empty string is the only way to leave a number or boolean without a value.
  if (type === "string" || value === "" || coerceText(value, type) !== undefined) return undefined
  return { ...messages["variable-type"].text(name, type), offset: valueStart }
}

/**
 * Reports an undeclared name. Quotes it only if it resembles a declared one, because other text may be part of a
 * secret.
 */
function undeclared(name: string, schema: CheckedSchema, isBroken: boolean): Finding {
  const { hidden, reserved, undeclared: named } = messages["variable-undeclared"]
  if (isBroken) return hidden(undefined)
  if (isReserved(name)) return reserved(name)
  const near = schema.suggest(name)
  return near === undefined ? hidden("declare") : named(name, near)
}

/** Returns the environment and its parents, nearest first. Stops at a missing or repeated parent. */
export function extendsChain(
  environments: ReadonlyMap<string, Environment>,
  name: string,
): readonly Environment[] {
  const chain = new Set<Environment>()
  let here = environments.get(name)
  while (here !== undefined && !chain.has(here)) {
    chain.add(here)
    here = here.extends === undefined ? undefined : environments.get(here.extends)
  }
  return [...chain]
}

interface CheckedEnvironment {
  readonly environment: Environment
  /** True if the value file has errors. It may then contain values that were not read. */
  readonly isBroken: boolean
  readonly problems: readonly Problem[]
  /** Creates a problem at a key of the value file. Absent if the file can't be read. */
  readonly problemAt?: (key: string, finding: Finding) => Problem
}

/** Checks `extends` in all environments. Reports a cycle once, at its first environment. */
function checkChains(checked: ReadonlyMap<string, CheckedEnvironment>): readonly Problem[] {
  const problems: Problem[] = []
  const environments = new Map([...checked].map(([name, { environment }]) => [name, environment]))
  const report = (name: string, key: string, finding: Finding) => {
    const problem = checked.get(name)?.problemAt?.(key, finding)
    if (problem !== undefined) problems.push(problem)
  }
  for (const { name, extends: parent } of environments.values()) {
    if (parent === undefined || environments.has(parent)) continue
    report(name, "extends", missingParent(parent, environments.keys()))
  }
  for (const circle of circlesOf(environments)) {
    const [first] = circle
    const { self, cycle } = messages["extends-cycle"]
    report(first, "extends", circle.length === 1 ? self(first) : cycle([...circle, first]))
  }
  for (const { name } of environments.values()) {
    if (!name.toLowerCase().includes("prod")) continue
    const chain = extendsChain(environments, name)
    if (chain.some((link) => link.level !== undefined || checked.get(link.name)?.isBroken)) continue
    report(name, "level", messages["level-unset"].production(name))
  }
  return problems
}

function missingParent(parent: string, known: Iterable<string>): Finding {
  const names = [...known]
  const withoutEnding = parent.replace(/\.json$/, "")
  const { unknown } = messages["extends-missing"]
  if (names.includes(withoutEnding)) {
    const replacement = { is: "value", from: parent, to: withoutEnding } as const
    return { ...unknown(parent, `did you mean "${withoutEnding}"?`), replacement }
  }
  return withReplacement(unknown(parent, suggest(parent, names)), { is: "value", from: parent, known: names })
}

/** Yields each cycle of `extends` once, starting with its first environment in map order. */
function* circlesOf(
  environments: ReadonlyMap<string, Environment>,
): Generator<readonly [string, ...string[]]> {
  const inCircles = new Set<string>()
  for (const first of environments.keys()) {
    const chain = extendsChain(environments, first)
    if (chain.at(-1)?.extends !== first || inCircles.has(first)) continue
    const others = chain.slice(1).map(({ name }) => name)
    for (const name of others) inCircles.add(name)
    yield [first, ...others]
  }
}
