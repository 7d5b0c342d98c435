// Project + bindings -> a plan, or everything that can be known to be wrong before a request is sent.

import { createContractChecker, readDocument, serverUrl, type ContractChecker } from "@callsheet/openapi"
import {
  createProblemMaker,
  hasErrors,
  parseTemplateOnce,
  scriptsOf,
  suggest,
  tokensOf,
  touchedApis,
  valueStrings,
  walkBlocks,
  type Finding,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type Project,
  type RequestBlock,
  type ResolvedEnvironment,
  type ScriptTarget,
  type Visit,
  type Workflow,
  type WorkflowFile,
} from "@callsheet/format"
import type { ScriptDescription, ScriptPort } from "./ports.ts"
import { collectReferences, type References } from "./references.ts"
import type { RunSettings } from "./settings.ts"
import { findTarget, type ApiSource } from "./target.ts"

/** Everything that a run needs to know; nothing in it changes while it runs. */
export interface Plan {
  readonly project: Project
  readonly name: string
  readonly workflow: Workflow
  readonly apis: ReadonlyMap<string, PlannedApi>
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly settings: RunSettings
  readonly references: References
}

export interface PlannedApi extends ApiSource {
  /** Present where the workflow validates contracts and the API has a document. */
  readonly checker?: ContractChecker
}

export interface PlanRequest {
  readonly project: Project
  readonly file: WorkflowFile
  readonly workflow: Workflow
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly settings: RunSettings
  readonly scripts: Pick<ScriptPort, "describe">
}

export interface Planned {
  /** Absent where `problems` holds errors. */
  readonly plan?: Plan
  readonly problems: readonly Problem[]
}

export async function planRun(request: PlanRequest): Promise<Planned> {
  const { project, file, workflow } = request
  const problemAt = createProblemMaker(file)
  // A set: the same broken file is found by each block that uses it.
  const problems = new Set<Problem>()
  const report = (visit: Visit, pointer: JsonPointer, finding: Finding) => {
    problems.add(problemAt([...visit.pointer(), ...pointer], "value", finding))
  }
  const apis = await planApis(request, problems)
  for (const visit of walkBlocks(workflow.blocks)) {
    if (visit.block.type === "request")
      checkTarget(request, apis, { visit, block: visit.block, report, problems })
  }
  await checkScripts(request, report)
  const list = [...problems]
  if (hasErrors(list)) return { problems: list }
  const { environments, inputs, settings } = request
  const plan = {
    project,
    name: file.name,
    workflow,
    apis,
    environments,
    inputs,
    settings,
    references: collectReferences(workflow, (block) => savedTexts(apis.get(block.request.api), block)),
  }
  return { plan, problems: list }
}

async function planApis(
  request: PlanRequest,
  problems: Set<Problem>,
): Promise<ReadonlyMap<string, PlannedApi>> {
  const { project, workflow, environments } = request
  const apis = new Map<string, PlannedApi>()
  for (const name of touchedApis(workflow.blocks)) {
    const api = project.apis.get(name)
    if (api === undefined) continue
    const read = api.document === undefined ? undefined : await readDocument(api.document)
    for (const problem of read?.problems ?? []) problems.add(problem)
    const document = read?.document
    const checker =
      document !== undefined && workflow.validateContracts === true
        ? createContractChecker(document)
        : undefined
    apis.set(name, {
      api,
      ...(document === undefined ? {} : { document }),
      ...(checker === undefined ? {} : { checker }),
    })
    const environment = environments.get(name)
    const problem =
      environment === undefined
        ? undefined
        : objectToBaseUrl(name, environment, document !== undefined && serverUrl(document) !== undefined)
    if (problem !== undefined) problems.add(problem)
  }
  return apis
}

function objectToBaseUrl(
  api: string,
  environment: ResolvedEnvironment,
  hasServer: boolean,
): Problem | undefined {
  const variable = environment.variables.get("baseUrl")
  const value = variable?.value
  const file = variable?.file === undefined ? {} : { file: variable.file }
  // A required one that has no value is among the missing variables already.
  if (variable?.declaration.required === true && (value === undefined || value === "")) return undefined
  if (value === undefined) {
    if (hasServer) return undefined
    return {
      code: "variable-missing",
      severity: "error",
      message: `the API "${api}" has no base URL in the environment "${environment.name}": neither a variable "baseUrl" nor a server in its document`,
      hint:
        variable === undefined
          ? `declare "baseUrl" in apis/${api}/environments/schema.json and give it a value`
          : `give "baseUrl" a value in apis/${api}/environments/${environment.name}.json`,
    }
  }
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined
  if (url !== undefined && (url.protocol === "http:" || url.protocol === "https:")) return undefined
  return {
    ...file,
    code: "variable-type",
    severity: "error",
    message: `the variable "baseUrl" of "${api}" in the environment "${environment.name}" is no http or https URL`,
    hint: `for example "https://api.example.com/v1"`,
  }
}

/** The strings of the saved requests that a block may send, all of them where a token names it. */
function* savedTexts(source: ApiSource | undefined, { request }: RequestBlock): Generator<string> {
  for (const { name, request: saved } of source?.api.instances.values() ?? []) {
    if (saved === undefined || (name !== request.instance && !request.instance!.includes("{{"))) continue
    for (const part of [saved.params, saved.body, saved.operation, saved.path]) {
      if (part === undefined) continue
      for (const { text } of valueStrings(part as JsonValue, [])) yield text
    }
  }
}

interface TargetCheck {
  readonly visit: Visit
  readonly block: RequestBlock
  readonly report: (visit: Visit, pointer: JsonPointer, finding: Finding) => void
  readonly problems: Set<Problem>
}

function checkTarget(
  { project }: PlanRequest,
  apis: ReadonlyMap<string, PlannedApi>,
  check: TargetCheck,
): void {
  const { visit, block, report, problems } = check
  const { api, resource, operation, instance } = block.request
  const source = apis.get(api)
  if (source === undefined) {
    const known = project.apiNames
    return report(visit, ["request", "api"], {
      code: "api-unknown",
      message: `there is no API "${api}"`,
      hint:
        suggest(api, known) ??
        (known.length === 0 ? `expected a folder apis/${api}` : `the project has ${known.join(", ")}`),
    })
  }
  // A document that cannot be read is said once, at the document.
  if (source.api.document !== undefined && source.document === undefined) return
  const names = { resource, operation, instance }
  if (Object.values(names).some((name) => name?.includes("{{"))) return
  const found = findTarget(source, dropUndefined(names))
  const instanceProblems = found.instanceFile?.problems ?? []
  for (const problem of instanceProblems) problems.add(problem)
  if (found.found) return checkPathParams(check, found.target.path)
  if (found.instanceFile?.request?.operation?.includes("{{") === true) return
  if (hasErrors(instanceProblems)) return
  report(visit, ["request", found.field], { code: found.code, message: found.message, hint: found.hint })
}

function checkPathParams({ visit, block, report }: TargetCheck, path: string): void {
  for (const name of Object.keys(block.request.overrides?.params?.path ?? {})) {
    if (path.includes(`{${name}}`)) continue
    report(visit, ["request", "overrides", "params", "path", name], {
      code: "field-unknown",
      severity: "warning",
      message: `the path ${path} has no parameter "${name}"`,
      hint: suggest(
        name,
        [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!),
      ),
    })
  }
}

const dropUndefined = (names: {
  resource: string | undefined
  operation: string | undefined
  instance: string | undefined
}): { resource?: string; operation?: string; instance?: string } =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))

/** Absolute path of a script of a workflow. */
export const scriptPath = (project: Project, workflow: string, script: string): string =>
  `${project.root}/apis/workflow/scripts/${workflow}/${script}.ts`

async function checkScripts(
  { project, file, workflow, scripts }: PlanRequest,
  report: (visit: Visit, pointer: JsonPointer, finding: Finding) => void,
): Promise<void> {
  const known = project.scriptNames.get(file.name) ?? []
  const descriptions = new Map<string, Promise<ScriptDescription>>()
  for (const visit of walkBlocks(workflow.blocks)) {
    for (const script of scriptsOf(visit.block)) {
      if (hasToken(script.name)) continue
      if (!known.includes(script.name)) {
        report(visit, ["script", "name"], missingScript(file.name, script.name, known))
        continue
      }
      let description = descriptions.get(script.name)
      if (description === undefined) {
        description = scripts.describe(scriptPath(project, file.name, script.name))
        descriptions.set(script.name, description)
      }
      const finding = objectToExport(script, await description, file.name)
      if (finding !== undefined)
        report(visit, ["script", finding.code === "script-missing" ? "exportName" : "name"], finding)
    }
  }
}

const hasToken = (text: string): boolean => {
  const template = parseTemplateOnce(text)
  return template.ok && tokensOf(template.parts).length > 0
}

/** What to say of a script that is not among the workflow's files. */
export const missingScript = (workflow: string, name: string, known: readonly string[]): Finding => ({
  code: "script-missing",
  message: `there is no script apis/workflow/scripts/${workflow}/${name}.ts`,
  hint: suggest(name, known) ?? (known.length === 0 ? undefined : `the workflow has ${known.join(", ")}`),
})

function objectToExport(
  script: ScriptTarget,
  description: ScriptDescription,
  workflow: string,
): Finding | undefined {
  const file = `apis/workflow/scripts/${workflow}/${script.name}.ts`
  if (!description.ok) {
    const position = description.line === undefined ? "" : `:${description.line}:${description.column ?? 1}`
    return { code: "script-syntax", message: `${file}${position}: ${description.message}` }
  }
  if (hasToken(script.exportName) || !description.complete || description.exports.includes(script.exportName))
    return undefined
  return {
    code: "script-missing",
    message: `${file} exports no "${script.exportName}"`,
    hint:
      suggest(script.exportName, description.exports) ??
      (description.exports.length === 0
        ? "it exports nothing"
        : `it exports ${description.exports.join(", ")}`),
  }
}
