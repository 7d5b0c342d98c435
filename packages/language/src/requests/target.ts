// Resolves the target of a request block: an operation, a saved request, or both. Reports targets that don't exist.

import {
  hasErrors,
  hasResponse,
  hasTokens,
  parseTemplateOnce,
  suggest,
  walkBlocks,
  withReplacement,
  type Api,
  type Block,
  type Finding,
  type InstanceFile,
  type Problem,
  type ReadableWorkflow,
  type RequestBlock,
  type RequestTarget,
  type SavedRequest,
} from "@callsheet/format"
import {
  findOperation,
  findOperationByPath,
  slug,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"
import { messages } from "../messages.ts"
import { unknownApi } from "../names/unknown-api.ts"
import { inBlock, type Report } from "../names/scripts.ts"

type TargetNames = Partial<Pick<RequestTarget, "resource" | "operation" | "instance">>

export interface Target {
  readonly method: string
  readonly path: string
  readonly operation?: Operation | undefined
  readonly instance?: SavedRequest
}

interface KnownTarget {
  readonly found: true
  readonly target: Target
  readonly instanceFile?: InstanceFile
}

interface MissingTarget {
  readonly found: false
  readonly finding: Finding
  readonly field: "operation" | "instance" | "resource"
  readonly instanceFile?: InstanceFile
}

type FoundTarget = KnownTarget | MissingTarget

export interface ApiSource {
  readonly api: Api
  readonly document?: OpenApiDocument | undefined
}

/**
 * Resolves the operation or saved request of a request block. `expand` expands the placeholders of a saved request's
 * operation.
 */
export function findTarget(
  source: ApiSource,
  names: TargetNames,
  expand: (text: string) => string = (text) => text,
): FoundTarget {
  if (names.instance === undefined) return findOperationTarget(source, names.operation!, names.resource)
  const file = findInstance(source.api, names.instance, names.resource)
  if ("found" in file) return file
  if (file.request === undefined) {
    return { ...missing(unknownInstance.broken(source.api.name, names.instance)), instanceFile: file }
  }
  const target = targetOfInstance(source, file, names.resource, expand)
  if (!target.found || names.operation === undefined) return target
  const wanted = findOperationTarget(source, names.operation, names.resource)
  if (!wanted.found) return wanted
  if (wanted.target.method === target.target.method && wanted.target.path === target.target.path)
    return target
  const { method, path } = target.target
  return missing(unknownInstance.otherOperation(names.instance, `${method} ${path}`, names.operation))
}

const { "instance-unknown": unknownInstance, "operation-unknown": unknownOperation } = messages

const missing = (
  finding: Finding<"instance-unknown" | "operation-unknown">,
  field?: "resource",
): MissingTarget => ({
  found: false,
  field: field ?? (finding.code === "instance-unknown" ? "instance" : "operation"),
  finding,
})

function findInstance(api: Api, name: string, resource: string | undefined): InstanceFile | MissingTarget {
  const all = [...api.instances.values()]
  const named = all.filter((file) => file.name === name)
  const isOfIt = (own: string): boolean =>
    resource === undefined || own === resource || own === slug(resource)
  const matching = named.filter((file) => isOfIt(file.resource))
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    const resources = matching.map((file) => file.resource)
    return missing(unknownInstance.several(api.name, name, resources))
  }
  const elsewhere =
    named[0] === undefined ? undefined : `"${name}" belongs to the resource "${named[0].resource}"`
  const hint =
    elsewhere ??
    suggest(name, new Set(all.map((file) => file.name))) ??
    `expected apis/${api.name}/requests/${resource ?? "<resource>"}/${name}.json`
  const finding = unknownInstance.unknown(api.name, name, resource, hint)
  if (elsewhere !== undefined) {
    const owners = named.map((file) => file.resource)
    const near = withReplacement(finding, { is: "value", from: resource ?? "", known: owners })
    return missing(near, near.replacement && "resource")
  }
  const known = all.filter((file) => isOfIt(file.resource)).map((file) => file.name)
  return missing(withReplacement(finding, { is: "value", from: name, known }))
}

function targetOfInstance(
  source: ApiSource,
  instanceFile: InstanceFile,
  resource: string | undefined,
  expand: (text: string) => string,
): FoundTarget {
  const instance = instanceFile.request!
  if (instance.operation === undefined) {
    const method = instance.method.toUpperCase()
    const path = instance.path
    const operation =
      source.document === undefined ? undefined : findOperationByPath(source.document, method, path)
    return { found: true, target: { method, path, operation, instance }, instanceFile }
  }
  // If several operations have the name, the saved request's directory selects one, because it may be named after a
  // tag.
  const name = expand(instance.operation)
  const plain = findOperationTarget(source, name)
  const found = plain.found ? plain : findOperationTarget(source, name, resource ?? instanceFile.resource)
  if (!found.found)
    return {
      ...found,
      field: "instance",
      finding: unknownOperation.inInstance(instanceFile.name, found.finding.message, found.finding.hint),
      instanceFile,
    }
  return { found: true, target: { ...found.target, instance }, instanceFile }
}

function findOperationTarget({ api, document }: ApiSource, name: string, resource?: string): FoundTarget {
  if (document === undefined)
    return missing(unknownOperation.noDocument(api.name, name, api.misnamedDocument))
  const found = findOperation(document, { operation: name, resource })
  if (found.status !== "found") {
    const finding = unknownOperation.unknown(api.name, found.message, found.hint)
    // The name of the resource is at fault only if it is misspelled.
    const field = found.of !== undefined && found.replacement !== undefined ? found.of : undefined
    return missing({ ...finding, replacement: found.replacement }, field)
  }
  const { operation } = found
  return { found: true, target: { method: operation.method, path: operation.path, operation } }
}

interface TargetCheck {
  readonly block: RequestBlock
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
  readonly report: Report
  /** Receives problems in the saved request that the block sends. */
  readonly addProblem: (problem: Problem) => void
  readonly reported?: ReadonlySet<InstanceFile> | undefined
}

/** Returns the target of a request block. Undefined if it is missing, which is reported, or known only at run time. */
export function checkTarget(check: TargetCheck): KnownTarget | undefined {
  const { block, apis, apiNames, report, addProblem } = check
  const source = apis.get(block.request.api)
  if (source === undefined) {
    report(["request", "api"], "value", unknownApi(block.request.api, apiNames, "value"))
    return undefined
  }
  // An unreadable document has its own problem.
  const isBroken = source.api.document !== undefined || hasErrors(source.api.problems)
  if (isBroken && source.document === undefined) return undefined
  if (isOpen(block.request)) return undefined
  const found = findTarget(source, block.request)
  const instanceProblems = found.instanceFile?.problems ?? []
  for (const problem of instanceProblems) addProblem(problem)
  if (found.found) return found
  const operation = found.instanceFile?.request?.operation
  if (found.instanceFile !== undefined && check.reported?.has(found.instanceFile) === true) return undefined
  if (hasErrors(instanceProblems) || (operation !== undefined && hasTokens(operation))) return undefined
  report(["request", found.field], "value", found.finding)
  return undefined
}

export type Targets = ReadonlyMap<Block, KnownTarget>

export function findTargets(
  check: Omit<TargetCheck, "block" | "report">,
  readable: ReadableWorkflow,
  report: Report,
): Targets {
  const targets = new Map<Block, KnownTarget>()
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    const { block } = visit
    if (!hasResponse(block) || readable.broken.has(block)) continue
    const found = checkTarget({ ...check, block, report: inBlock(report, visit) })
    if (found !== undefined) targets.set(block, found)
  }
  return targets
}

/** Returns the method of a request block. Undefined if it depends on a placeholder or the target doesn't exist. */
export function knownMethod(source: ApiSource | undefined, { request }: RequestBlock): string | undefined {
  if (source === undefined || isOpen(request)) return undefined
  const found = findTarget(source, request)
  return found.found ? found.target.method : undefined
}

/** Returns whether the target depends on a placeholder. */
export const isOpen = ({ resource, operation, instance }: TargetNames): boolean =>
  [resource, operation, instance].some((name) => name !== undefined && hasTokens(name))

export function pathParams(path: string): readonly string[] {
  const template = parseTemplateOnce(path)
  const isLiteral = !template.ok || !template.hasTokens
  const literal = isLiteral ? path : template.parts.filter((part) => typeof part === "string").join("")
  return [...literal.matchAll(/\{([^{}]+)\}/g)].flatMap((match) => match[1] ?? [])
}

export function unknownPathParams(
  { request }: RequestBlock,
  path: string,
): readonly { readonly name: string; readonly finding: Finding }[] {
  const names = pathParams(path)
  return Object.keys(request.overrides?.params?.path ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      name,
      finding: withReplacement(
        messages["field-unknown"].pathParameter(path, name, names, suggest(name, names)),
        { is: "key", from: name, known: names },
      ),
    }))
}
