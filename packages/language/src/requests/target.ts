// Resolves the target of a request block by name: an operation, a saved request, or both.

import {
  findOperation,
  findOperationByPath,
  slug,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"
import {
  suggest,
  type Api,
  type InstanceFile,
  type Finding,
  type RequestTarget,
  type SavedRequest,
} from "@callsheet/format"
import { messages } from "../messages.ts"

type TargetNames = Partial<Pick<RequestTarget, "resource" | "operation" | "instance">>

export interface Target {
  readonly method: string
  readonly path: string
  readonly operation?: Operation | undefined
  readonly instance?: SavedRequest
}

export interface KnownTarget {
  readonly found: true
  readonly target: Target
  readonly instanceFile?: InstanceFile
}

interface MissingTarget {
  readonly found: false
  readonly finding: Finding
  readonly field: "operation" | "instance"
  readonly instanceFile?: InstanceFile
}

type FoundTarget = KnownTarget | MissingTarget

export interface ApiSource {
  readonly api: Api
  readonly document?: OpenApiDocument | undefined
}

/** Resolves the names of a request block in an API. `expand` expands the tokens of a saved request's operation. */
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

const missing = (finding: Finding<"instance-unknown" | "operation-unknown">): MissingTarget => ({
  found: false,
  field: finding.code === "instance-unknown" ? "instance" : "operation",
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
  return missing(unknownInstance.unknown(api.name, name, resource, hint))
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
  // If several operations have the same name, the directory distinguishes them, provided it is named after a resource.
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
  if (document === undefined) return missing(unknownOperation.noDocument(api.name, name))
  const found = findOperation(document, { operation: name, resource })
  if (found.status !== "found") return missing(unknownOperation.unknown(api.name, found.message, found.hint))
  const { operation } = found
  return { found: true, target: { method: operation.method, path: operation.path, operation } }
}
