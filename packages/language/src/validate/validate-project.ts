// Finds all problems of a project that don't require sending a request.

import {
  createProblemMaker,
  dayOf,
  extendsChain,
  isSetByProcess,
  parseSecretsFile,
  secretReference,
  toProblem,
  type Api,
  type InstanceFile,
  type Finding,
  type Problem,
  type ProcessEnvironment,
  type Project,
  type SettingsFile,
  type WorkflowFile,
  type Environment,
  type EnvironmentFiles,
  type VariableDeclaration,
  distinctProblems,
} from "@callsheet/format"
import {
  checkDocument,
  readDocument,
  listOperations,
  readBaseUrl,
  serverUrl,
  type OpenApiDocument,
  type OutlineStore,
} from "@callsheet/openapi"
import { blocksThatName } from "../references/block-uses.ts"
import {
  checkScripts,
  reportTo,
  type CheckFile,
  type CheckRows,
  type DescribeScript,
  type Report,
} from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { checkSettings } from "./check-settings.ts"
import { checkInstances } from "./check-instances.ts"
import { asError } from "./check-before-run.ts"
import { checkWorkflowFile, type WorkflowCheck } from "./check-workflow-file.ts"
import { messages } from "../messages.ts"

interface ValidateRequest {
  /** The workflows and APIs to check. The APIs must be complete. */
  readonly project: Project
  readonly describe: DescribeScript
  /** Checks that a file to send exists. Absent if files can't be read, as in a browser. */
  readonly checkFile?: CheckFile
  /** Checks the rows of a data file. Absent if files can't be read. */
  readonly checkRows?: CheckRows
  /** The process variables, which may set variables that no file sets. */
  readonly processEnvironment?: ProcessEnvironment
  /** Caches outlines of documents between processes. If absent, documents are read in full. */
  readonly outlines?: OutlineStore | undefined
  /** Reads and checks the document of an API. By default `readCheckedSource`. */
  readonly readSource?: ReadSource
  /** Checks a workflow. By default `checkWorkflowFile`. */
  readonly checkWorkflow?: (check: WorkflowCheck) => void
  /** Called between files, so that other work can proceed. If it throws, the check ends. */
  readonly giveWay?: () => Promise<void>
  /** The current day in UTC, such as `2027-01-31`, which decides whether an entry of the baseline has expired. */
  readonly today?: string
}

/** Returns the errors and warnings of all files that were read, sorted by file and position. */
export async function validateProject({
  project,
  describe,
  checkFile = () => undefined,
  checkRows,
  processEnvironment = {},
  outlines,
  readSource = (api) => readCheckedSource(api, outlines),
  checkWorkflow = checkWorkflowFile,
  giveWay,
  today = dayOf(Date.now()),
}: ValidateRequest): Promise<readonly Problem[]> {
  // Uses a set, because each block that uses a broken file reports the same problems.
  const problems = new Set<Problem>(project.problems)
  const addOne = (problem: Problem): void => void problems.add(problem)
  const add = (found: readonly Problem[]): void => found.forEach(addOne)
  const apis = new Map<string, ApiSource>()
  for (const api of project.apis.values()) {
    const { source, problems: found } = await readSource(api)
    add(found)
    for (const part of [api, api.environments, ...api.instances.values()]) add(part.problems)
    apis.set(api.name, source)
    await giveWay?.()
  }
  const reported = new Set<InstanceFile>()
  for (const source of apis.values()) {
    checkEnvironments(source, addOne, processEnvironment)
    for (const file of checkInstances({ source, checkFile, add: addOne })) reported.add(file)
  }
  for (const file of project.workflows.values()) {
    add(file.problems)
    checkWorkflow({ file, apis, apiNames: project.apiNames, reported, checkFile, add: addOne })
    await checkScripts(
      { project, file, describe, thorough: { checkFile, add: addOne } },
      reportTo(file, addOne),
    )
    await giveWay?.()
  }
  await checkSettings({ project, apis, checkData: { file: checkFile, rows: checkRows }, add: addOne })
  if (project.baselineFile !== undefined) {
    const { checkBaselineFile } = await import("./check-baseline.ts")
    checkBaselineFile({ project, apis, today, add: addOne })
  }
  return asReported(problems)
}

export type ReadSource = (api: Api) => Promise<CheckedSource>

interface CheckedSource {
  readonly source: ApiSource
  /** The problems of the document. */
  readonly problems: readonly Problem[]
}

/** Reads an API's document in full, and checks it. */
export async function readCheckedSource(
  api: Api,
  outlines: OutlineStore | undefined,
): Promise<CheckedSource> {
  if (api.document === undefined) return { source: { api }, problems: [] }
  const read = await readDocument(api.document, { readFile: api.readFile, outlines, readsWhole: true })
  const { document } = read
  if (document === undefined) return { source: { api }, problems: read.problems }
  return { source: { api, document }, problems: [...read.problems, ...(await checkDocument(document))] }
}

export interface Surroundings {
  readonly project: Pick<
    Project,
    "root" | "apiNames" | "scriptNames" | "problems" | "workflowNames" | "workflows"
  >
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly describe: DescribeScript
  readonly checkFile: CheckFile
}

/** Validates one workflow file. `surroundings.project.scriptNames` must include the workflow's scripts. */
export async function validateWorkflowFile(
  file: WorkflowFile,
  { project, apis, describe, checkFile }: Surroundings,
): Promise<readonly Problem[]> {
  const problems = new Set(file.problems)
  const add = (problem: Problem): void => void problems.add(problem)
  const reported = new Set<InstanceFile>()
  for (const source of apis.values())
    for (const broken of checkInstances({ source, checkFile, add: () => undefined })) reported.add(broken)
  checkWorkflowFile({ file, apis, apiNames: project.apiNames, reported, checkFile, add })
  await checkScripts({ project, file, describe, thorough: { checkFile, add } }, reportTo(file, add))
  return ofFile(file.file, [...project.problems, ...problems])
}

/** Validates a saved request, on its own and in the workflows that send it. */
export function validateInstanceFile(
  file: InstanceFile,
  { project, apis, checkFile }: Surroundings,
): readonly Problem[] {
  const problems = new Set(file.problems)
  const add = (problem: Problem): void => void problems.add(problem)
  for (const source of apis.values()) {
    const instances = new Map([...source.api.instances].filter(([, other]) => other === file))
    if (instances.size === 0) continue
    const own = { ...source, api: { ...source.api, instances } }
    const reported = checkInstances({ source: own, checkFile, add })
    const named = {
      kind: "request",
      api: source.api.name,
      resource: file.resource,
      request: file.name,
    } as const
    const uses = blocksThatName({ workflows: project.workflows, apis: new Map() }, named)
    for (const sender of new Set([...uses].map(({ workflow }) => workflow)))
      checkWorkflowFile({ file: sender, apis, apiNames: project.apiNames, reported, checkFile, add })
  }
  return ofFile(file.file, [...project.problems, ...problems])
}

/** Validates a schema or a value file. `source` contains all environments, with the current text of this file. */
export function validateEnvironmentFile(
  file: string,
  source: ApiSource,
  project: Pick<Project, "problems"> & { readonly processEnvironment?: ProcessEnvironment | undefined },
): readonly Problem[] {
  const problems = new Set(source.api.environments.problems)
  checkEnvironments(source, (problem) => void problems.add(problem), project.processEnvironment)
  return ofFile(file, [...project.problems, ...problems])
}

/** Validates `callsheet.json`. Doesn't read the rows of data files. */
export async function validateSettingsFile(
  settingsFile: SettingsFile,
  { project, apis, checkFile }: Omit<Surroundings, "describe">,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  const add = (problem: Problem): void => void problems.push(problem)
  await checkSettings({ project: { ...project, settingsFile }, apis, checkData: { file: checkFile }, add })
  return ofFile(settingsFile.file, problems)
}

const ofFile = (file: string, problems: readonly Problem[]): readonly Problem[] =>
  asReported(problems.filter((problem) => problem.file === file))

const asReported = (problems: Iterable<Problem>): Problem[] =>
  [...distinctProblems([...problems].map(asError))].sort(byPlace)

/** Removes duplicates. Several blocks may find the same problem in a saved request. */
const byPlace = (a: Problem, b: Problem): number =>
  compare(a.file ?? "", b.file ?? "") ||
  (a.line ?? 0) - (b.line ?? 0) ||
  (a.column ?? 0) - (b.column ?? 0) ||
  compare(a.message, b.message)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Checks that each environment is complete, except for values that may come from outside the repository. */
function checkEnvironments(
  { api, document }: ApiSource,
  add: (problem: Problem) => void,
  processEnvironment: ProcessEnvironment = {},
): void {
  const { environments } = api
  const { schemaFile } = environments
  if (schemaFile !== undefined) checkDefaults(environments.variables, reportTo(schemaFile, add))
  const parents = new Set([...environments.environments.values()].map((environment) => environment.extends))
  const needed = neededVariables(environments, document !== undefined && hasServer(document)).filter(
    ({ name }) => !isSetByProcess(processEnvironment, api.name, name),
  )
  const broken = new Set(
    environments.problems.flatMap(({ file, severity }) => (severity === "error" ? [file] : [])),
  )
  // A broken schema may declare it.
  const mayHaveBaseUrl = environments.declared?.has("baseUrl") ?? true
  const hasNoAddress = document !== undefined && !mayHaveBaseUrl && !hasServer(document)
  for (const environment of environments.environments.values()) {
    checkOwnBaseUrl(environments, environment, add)
    // An environment that others extend may be incomplete on purpose.
    if (parents.has(environment.name)) continue
    const chain = extendsChain(environments.environments, environment.name)
    if (isBroken(chain, broken)) continue
    for (const variable of needed) if (isMissing(chain, variable)) add(missing(environment, variable))
    if (hasNoAddress) add(withoutAddress(environment, api.name))
  }
}

function checkDefaults(variables: EnvironmentFiles["variables"], report: Report): void {
  for (const [name, declaration] of variables)
    if (declaration.default === null)
      report(["variables", name, "default"], "value", messages["variable-type"].nullDefault(name))
  const baseUrl = variables.get("baseUrl")
  const fault = baseUrlFault(baseUrl, baseUrl?.default)
  if (fault !== undefined) report(["variables", "baseUrl", "default"], "value", fault)
}

/** Returns whether the document or some of its operations have servers. A run then might not need `baseUrl`. */
const hasServer = (document: OpenApiDocument): boolean =>
  serverUrl(document) !== undefined ||
  listOperations(document).some((operation) => serverUrl(document, operation) !== undefined)

/** Returns whether an environment or one of its parents has errors. Its missing values are then not reported. */
const isBroken = (chain: readonly Environment[], files: ReadonlySet<string | undefined>): boolean =>
  chain.at(-1)?.extends !== undefined ||
  chain.some(
    ({ valueFile, secretsFile }) => files.has(valueFile.file) || (secretsFile && files.has(secretsFile.file)),
  )

type RequiredVariable = VariableDeclaration & { readonly name: string }

/** Returns the variables that a run needs. Omits secrets, which may be set outside the repository. */
const neededVariables = ({ variables }: EnvironmentFiles, hasServer: boolean): readonly RequiredVariable[] =>
  [...variables]
    .map(([name, declaration]) => ({ ...declaration, name }))
    .filter(
      ({ name, required, secret }) => secret !== true && (required || (name === "baseUrl" && !hasServer)),
    )

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

function isMissing(chain: readonly Environment[], { name, default: value }: RequiredVariable): boolean {
  const holder = chain.find(({ values, secrets }) => values.has(name) || secrets.has(name))
  return isNothing(holder === undefined ? value : (holder.secrets.get(name) ?? holder.values.get(name)))
}

function missing(
  { name: environment, valueFile: { file } }: Environment,
  { name, required }: RequiredVariable,
) {
  const { required: withoutValue, noServer } = messages["variable-missing"]
  const finding = required ? withoutValue(environment, name, file) : noServer(environment, name, file)
  return { ...toProblem(finding, file), line: 1, column: 1 }
}

/** Reports that no run can send anything to an API, because nothing can set its base URL. */
const withoutAddress = ({ name, valueFile: { file } }: Environment, api: string): Problem => ({
  ...toProblem(messages["variable-missing"].noAddress(name, api), file),
  line: 1,
  column: 1,
})

/** Checks the base URL in the two files of an environment. */
function checkOwnBaseUrl(
  { variables }: EnvironmentFiles,
  { values, valueFile, secrets, secretsFile }: Environment,
  add: (problem: Problem) => void,
): void {
  const declaration = variables.get("baseUrl")
  const inValues = baseUrlFault(declaration, values.get("baseUrl"))
  if (inValues !== undefined) add(createProblemMaker(valueFile)(["baseUrl"], "value", inValues))
  const inSecrets = baseUrlFault(declaration, secrets.get("baseUrl"))
  if (inSecrets === undefined || secretsFile === undefined) return
  const entry = parseSecretsFile(secretsFile.text).entries.findLast(({ name }) => name === "baseUrl")
  add({ ...toProblem(inSecrets, secretsFile.file), line: entry?.line ?? 1, column: 1 })
}

/** Returns the fault of a base URL that a file sets. A reference to a secret has no value yet. */
function baseUrlFault(declaration: VariableDeclaration | undefined, value: unknown): Finding | undefined {
  if (declaration?.type !== "string" || typeof value !== "string" || value === "") return undefined
  if (secretReference(declaration, value) !== undefined) return undefined
  const read = readBaseUrl(value)
  return read.ok ? undefined : messages["variable-type"].baseUrl(read.fault)
}
