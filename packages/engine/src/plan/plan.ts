// Turns a project and its bindings into a plan. If that isn't possible, returns every problem that can be found before
// a request is sent.

import {
  collectReferences,
  keepAll,
  checkEmptyLists,
  checkScripts,
  checkTarget,
  describeOutside,
  errorsBeforeRun,
  reportFew,
  unknownPathParams,
  type ApiSource,
  type Report,
  type References,
  warnOfNames,
} from "@callsheet/language"
import {
  describeMissingServer,
  loadSecretFields,
  readBaseUrl,
  serverUrl,
  type ContractChecker,
  type FindSecretFields,
  type Operation,
} from "@callsheet/openapi"
import {
  createProblemMaker,
  hasErrors,
  hasResponse,
  toProblem,
  valueStrings,
  walkBlocks,
  type JsonValue,
  type Problem,
  type Project,
  type RequestBlock,
  type ResolvedEnvironment,
  type Workflow,
  type WorkflowFile,
} from "@callsheet/format"
import type { Documents } from "./documents.ts"
import { findCredentialSources, type CredentialSources } from "./credential-sources.ts"
import { messages } from "../messages.ts"
import { neededApis, savedRequests } from "./needed-apis.ts"
import { planPart, type PlannedPart, type RunPart } from "./part.ts"
import type { FilePort, ScriptPort } from "../ports.ts"
import { isCredentialLocation } from "../request/credentials.ts"
import type { RunSettings } from "./settings.ts"
import { sourceOutside } from "./variable-source.ts"

/** Everything that a run needs to know. Immutable. */
export interface Plan {
  readonly project: Project
  readonly file: WorkflowFile
  /** Adds the position in the file to a finding. */
  readonly problemAt: ReturnType<typeof createProblemMaker>
  readonly workflow: Workflow
  readonly part: PlannedPart
  readonly apis: ReadonlyMap<string, PlannedApi>
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly settings: RunSettings
  /** The positions of warnings that were found before the run. */
  readonly warned: ReadonlySet<string>
  readonly references: References
  readonly credentialSources: CredentialSources
}

export interface PlannedApi extends ApiSource {
  /** Set if the workflow validates contracts and the API has a document. */
  readonly checker?: ContractChecker | undefined
  /** Checks values of scripts. Set if the API has a document. */
  readonly checkSchema?: ContractChecker["checkSchema"] | undefined
  /** Set if the document may mark fields as secret. */
  readonly secretFields?: FindSecretFields | undefined
}

export interface PlanRequest {
  readonly project: Project
  readonly file: WorkflowFile
  readonly workflow: Workflow
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly settings: RunSettings
  /** The part to run. Undefined for the whole workflow. */
  readonly part: RunPart | undefined
  readonly keepsResults: boolean
  readonly scripts: Pick<ScriptPort, "describe">
  readonly files: Pick<FilePort, "check">
  readonly documents: Documents
}

export interface PlanResult {
  /** Absent if `problems` contains errors. */
  readonly plan?: Plan
  readonly problems: readonly Problem[]
  /** Errors that don't keep the workflow from running. */
  readonly doubts?: readonly Problem[]
}

export async function planRun(request: PlanRequest): Promise<PlanResult> {
  const { project, file, workflow } = request
  const problemAt = createProblemMaker(file)
  // A set, because each block that uses an invalid file reports the same problem.
  const problems = new Set<Problem>()
  const report: Report = (...finding) => void problems.add(problemAt(...finding))
  if (file.readable !== undefined) checkEmptyLists(file.readable, reportFew(report).report, true)
  const apis = await planApis(request, problems)
  checkRequests(request, { apis, problems, report })
  const doubts = await findDoubts(request, { apis, report, problemAt })
  if (hasErrors([...problems])) return { problems: [...problems] }
  const { environments, settings } = request
  const stringsOfRequest = (block: RequestBlock) => savedTexts(apis.get(block.request.api), block)
  const declares = (api: string, variable: string): boolean => {
    const declared = apis.get(api)?.api.environments.declared
    return declared === undefined || declared.has(variable)
  }
  const references = collectReferences(workflow, { stringsOfRequest, declares })
  if (!references.areNamesKnown && file.readable !== undefined)
    await warnOfNames({ readable: file.readable, apis, report })
  const plan = {
    project,
    file,
    problemAt,
    workflow,
    part: planPart(workflow.blocks, request.part),
    apis,
    environments,
    settings,
    warned: new Set([...problems, ...doubts].map(positionOf)),
    references: request.keepsResults ? keepAll(references) : references,
    credentialSources: findCredentialSources(workflow, (block) =>
      credentialTexts(apis.get(block.request.api), block),
    ),
  }
  return { plan, problems: [...problems], doubts }
}

/** Checks the scripts, and finds the errors that don't keep the workflow from running. */
async function findDoubts(
  { project, file, scripts, files }: PlanRequest,
  { apis, report, problemAt }: Pick<CheckContext, "apis" | "report"> & Pick<Plan, "problemAt">,
): Promise<readonly Problem[]> {
  const { check: checkFile = () => undefined } = files
  const doubts: Problem[] = []
  const add = (problem: Problem): void => {
    if (problem.severity === "error") doubts.push(problem)
  }
  const thorough = { checkFile, add, report: (...finding: Parameters<Report>) => add(problemAt(...finding)) }
  await checkScripts({ project, file, describe: scripts.describe, thorough }, report)
  return [...doubts, ...errorsBeforeRun({ file, apis, apiNames: project.apiNames, checkFile })]
}

interface CheckContext {
  readonly apis: ReadonlyMap<string, PlannedApi>
  readonly problems: Set<Problem>
  readonly report: Report
}

/** Checks the names in each request block, and the base URL that it needs. */
function checkRequests(request: PlanRequest, { apis, problems, report }: CheckContext): void {
  const unserved: Unserved = new Map()
  for (const visit of walkBlocks(request.workflow.blocks)) {
    if (!hasResponse(visit.block)) continue
    const found = checkTarget({
      block: visit.block,
      apis,
      apiNames: request.project.apiNames,
      report: (pointer, at, finding) => report([...visit.pointer(), ...pointer], at, finding),
      addProblem: (problem) => problems.add(problem),
    })
    const source = apis.get(visit.block.request.api)
    if (source !== undefined) noteUnserved(unserved, source, found?.target.operation)
    if (found === undefined) continue
    const isEnforced = request.workflow.validateContracts === true
    const outside = isEnforced && source !== undefined ? describeOutside(source, found.target) : undefined
    if (outside !== undefined) report([...visit.pointer(), "request"], "value", outside)
    for (const { name, finding } of unknownPathParams(visit.block, found.target.path)) {
      const at = [...visit.pointer(), "request", "overrides", "params", "path", name]
      report(at, "key", { ...finding, severity: "warning" })
    }
  }
  for (const [name, source] of apis) {
    const problem = checkBaseUrl(source, request.environments.get(name), unserved)
    if (problem !== undefined) problems.add(problem)
  }
}

/** The first operation of each API without a server of its own, or undefined for a request without an operation. */
type Unserved = Map<string, Operation | undefined>

/**
 * Records an API that needs a base URL: the operation has no server in the document, or the request has no operation.
 */
function noteUnserved(unserved: Unserved, source: ApiSource, operation: Operation | undefined): void {
  const { document, api } = source
  if (unserved.has(api.name)) return
  if (document === undefined || serverUrl(document, operation) === undefined)
    unserved.set(api.name, operation)
}

/**
 * Checks that an API has a base URL if a request needs one. The variable `baseUrl` or a server of the operation sets
 * it.
 */
function checkBaseUrl(
  source: ApiSource,
  environment: ResolvedEnvironment | undefined,
  unserved: Unserved,
): Problem | undefined {
  if (environment === undefined || environment.service !== undefined) return undefined
  const variable = environment.variables.get("baseUrl")
  const value = variable?.value
  // A required variable without a value has its own problem.
  if (variable?.declaration.required === true && (value === undefined || value === "")) return undefined
  const api = source.api.name
  if (value === undefined)
    return unserved.has(api)
      ? toProblem(
          messages["variable-missing"].baseUrl({
            api,
            environment: environment.name,
            isDeclared: variable !== undefined,
            server: describeMissingServer(source.document, unserved.get(api)),
          }),
        )
      : undefined
  const read = readBaseUrl(String(value))
  if (read.ok) return undefined
  const setBy = variable && sourceOutside(api, variable)
  const facts = { api, environment: environment.name, fault: read.fault, setBy }
  return toProblem(messages["variable-type"].baseUrl(facts), variable?.file)
}

async function planApis(
  request: PlanRequest,
  problems: Set<Problem>,
): Promise<ReadonlyMap<string, PlannedApi>> {
  const { project, file, workflow, documents } = request
  const apis = new Map<string, PlannedApi>()
  for (const name of neededApis({ ...file, workflow }, project)) {
    const api = project.apis.get(name)
    if (api === undefined) {
      for (const problem of project.problems) if (problem.file === `apis/${name}`) problems.add(problem)
      continue
    }
    const read = await documents.read(api)
    for (const problem of read?.problems ?? []) problems.add(problem)
    const document = read?.document
    apis.set(name, {
      api,
      document,
      checker: workflow.validateContracts === true ? document && documents.checkerOf(document) : undefined,
      checkSchema: document && documents.checkerOf(document).checkSchema,
      secretFields: document && (await loadSecretFields(document)),
    })
  }
  return apis
}

/** Yields the strings with placeholders that a request block sends as credentials. */
function* credentialTexts(source: ApiSource | undefined, block: RequestBlock): Generator<string> {
  const overrides = block.request.overrides?.params
  for (const params of [
    overrides,
    ...[...savedRequests(source?.api, block)].map(({ request }) => request?.params),
  ])
    for (const location of ["header", "query", "cookie"] as const)
      for (const [name, text] of Object.entries(params?.[location] ?? {}))
        if (text.includes("{{") && isCredentialLocation(source?.document, location, name)) yield text
}

/** Yields the strings of the saved requests that a block may send. */
function* savedTexts(source: ApiSource | undefined, block: RequestBlock): Generator<string> {
  for (const { request: saved } of savedRequests(source?.api, block)) {
    for (const part of [saved?.params, saved?.body, saved?.operation, saved?.path]) {
      if (part === undefined) continue
      for (const { text } of valueStrings(part as JsonValue, [])) yield text
    }
  }
}

export const positionOf = ({ file, line, column }: Problem): string => `${file}:${line}:${column}`
