// What all workflows of a generation share: the models of the APIs, the samples, and the names.

import {
  asciiSlug,
  checkId,
  getOrCreate,
  hasTokens,
  isWorkflowName,
  tokensOf,
  parseTemplateOnce,
  stringifyJson,
  UniqueNames,
  type InstanceFile,
  type SavedRequest,
} from "@callsheet/format"
import {
  createSampler,
  createSchemaChecker,
  findOperation,
  inferResources,
  listOperations,
  requestBodyOf,
  requestBodyType,
  requestMedia,
  schemeVariable,
  securityOf,
  slug,
  successBody,
  typeAt,
  type Operation,
  type Resource,
  type ResourceModel,
  type Steps,
} from "@callsheet/openapi"
import type { GeneratedFile, GenerateRequest, GeneratingApi, Skipped } from "./generated.ts"

export const sampler = createSampler({ direction: "request", isTemplate: true })
export const fullSampler = createSampler({ direction: "request", isTemplate: true, fields: "all" })

/** For queries and paths, whose values filter what is there, so that none is made unique. */
export const filterSampler = createSampler({ direction: "request" })

/** An API with everything that is known about it. */
export interface KnownApi extends GeneratingApi {
  readonly name: string
  readonly model: ResourceModel
  readonly signIn: SignIn | undefined
  /** The saved requests that people made, by operation. */
  readonly saved: ReadonlyMap<Operation, InstanceFile & { readonly request: SavedRequest }>
}

/** The operation that returns a token for the others. */
interface SignIn {
  readonly operation: Operation
  /** Where its response has the token. */
  readonly token: Steps
}

/** A workflow that deletes an item, and the inputs that it has. */
export interface Cleanup {
  readonly workflow: string
  readonly inputs: readonly string[]
}

export class Ground {
  readonly apis: readonly KnownApi[]
  readonly files: GeneratedFile[] = []
  readonly skipped: Skipped[] = []
  readonly names: UniqueNames
  readonly cleanups = new Map<Resource, Cleanup | undefined>()
  /** The resources of several APIs that have the same name. */
  readonly #shared: ReadonlySet<string>

  constructor(
    { apis, workflowNames, generatedFiles = new Set() }: GenerateRequest,
    { onlyValid = false }: Partial<Pick<SavedChoice, "onlyValid">> = {},
  ) {
    this.names = new UniqueNames({ isAllowed: isWorkflowName, taken: workflowNames })
    this.apis = apis.map((one) => knownApi(one, { generatedFiles, onlyValid }))
    const owners = new Map<string, Set<string>>()
    for (const { name, document } of this.apis)
      for (const operation of listOperations(document))
        for (const resource of operation.resources.slice(0, 1))
          getOrCreate(owners, asciiSlug(resource, "api"), () => new Set<string>()).add(name)
    this.#shared = new Set([...owners].filter(([, names]) => names.size > 1).map(([name]) => name))
  }

  /** Returns a free name such as `orders-lifecycle`. Starts with the API if another one has a resource of this name. */
  workflowName(api: KnownApi, resource: string, what: string): string {
    const own = asciiSlug(resource, "api")
    return this.names.add(
      asciiSlug(`${this.#shared.has(own) ? `${api.name}-` : ""}${own}-${what}`, "workflow"),
    )
  }

  /** The models to look for a reference in: the API's own one first. */
  modelsFor(api: KnownApi): readonly ResourceModel[] {
    return [api, ...this.apis.filter((one) => one !== api)].map(({ model }) => model)
  }

  apiOf(resource: Resource): KnownApi {
    const found = this.apis.find(({ model }) => model.resources.includes(resource))
    if (found === undefined) throw new Error("a resource belongs to no API")
    return found
  }
}

interface SavedChoice {
  readonly generatedFiles: ReadonlySet<string>
  /** True to take only valid saved requests, with or without a body. */
  readonly onlyValid: boolean
}

function knownApi(one: GeneratingApi, { generatedFiles, onlyValid }: SavedChoice): KnownApi {
  const { api, document } = one
  const saved = new Map<Operation, InstanceFile & { readonly request: SavedRequest }>()
  for (const file of api.instances.values()) {
    const { request } = file
    if (request === undefined || isProbe(file) || generatedFiles.has(file.file)) continue
    if (request.body === undefined && !onlyValid) continue
    const operation = operationOf(one, request)
    if (operation === undefined || saved.has(operation) || !isSelfContained(one, request)) continue
    if (onlyValid && !hasValidBody(operation, request)) continue
    saved.set(operation, { ...file, request })
  }
  return { ...one, name: api.name, model: inferResources(document), signIn: findSignIn(one), saved }
}

/** Returns whether a saved request is that of a finding. It differs from a valid one. */
const isProbe = ({ name }: InstanceFile): boolean => name.startsWith("probe-")

const checkSchema = createSchemaChecker("request")

/** Returns whether a body may be valid. Only a run knows what placeholders stand for. */
function hasValidBody(operation: Operation, { body, bodyType = "json" }: SavedRequest): boolean {
  if (body === undefined) return requestBodyOf(operation)?.required !== true
  const schema = requestMedia(operation)?.schema
  if (schema === undefined || bodyType !== "json" || hasTokens(stringifyJson(body))) return true
  return checkSchema(schema, [body], "").length === 0
}

function operationOf({ document }: GeneratingApi, request: SavedRequest): Operation | undefined {
  const name = request.operation ?? `${request.method} ${request.path}`
  if (hasTokens(name)) return undefined
  const found = findOperation(document, { operation: name })
  return found.status === "found" ? found.operation : undefined
}

/** Returns whether a saved request reads only dynamic values and variables of its API's environments. */
function isSelfContained({ api }: GeneratingApi, { params, body }: SavedRequest): boolean {
  return textsIn([params, body]).every((text) => {
    const template = parseTemplateOnce(text)
    return (
      template.ok &&
      tokensOf(template.parts).every(({ inner }) => {
        const [name] = inner
        if (inner.length !== 1 || typeof name !== "string") return false
        return name.startsWith("$") || api.environments.variables.has(name.trim())
      })
    )
  })
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/**
 * Finds the operation that signs in: it needs no credentials, takes a password, and returns a token. All that it requires
 * must be variables of the environment.
 */
function findSignIn({ api, document }: GeneratingApi): SignIn | undefined {
  for (const operation of listOperations(document)) {
    if (operation.method !== "POST" || securityOf(operation).some((schemes) => schemes.length > 0)) continue
    const fields = requestBodyType(operation)?.type.required() ?? []
    const { variables } = api.environments
    if (!takesPassword(operation) || !fields.every((name) => variables.has(name))) continue
    const token = tokenIn(operation)
    if (token !== undefined) return { operation, token }
  }
  return undefined
}

/** Returns whether an operation requires a password. */
export const takesPassword = (operation: Operation): boolean =>
  requestBodyType(operation)
    ?.type.required()
    .some((name) => /^pass(?:word|phrase)?$/i.test(name)) === true

const tokenName = /^(?:(?:access|auth|session|bearer)?_?token|jwt)$/i

/** Returns where the response of an operation has a token. */
export function tokenIn(operation: Operation): Steps | undefined {
  const type = successBody(operation)
  const names = type?.names() ?? []
  const direct = names.find((name) => tokenName.test(name))
  if (direct !== undefined) return [direct]
  for (const name of names) {
    const inner = typeAt(type, [name])
      ?.names()
      .find((one) => tokenName.test(one))
    if (inner !== undefined) return [name, inner]
  }
  return undefined
}

/** Returns whether the environments have a variable for an alternative of what an operation requires, or it requires none. */
export function hasCredentials({ api }: KnownApi, operation: Operation): boolean {
  const alternatives = securityOf(operation)
  const { variables } = api.environments
  const isDeclared = (name: string): boolean =>
    [...variables.keys()].some((one) => one === name || one.startsWith(`${name}_`))
  return (
    alternatives.length === 0 ||
    alternatives.some((schemes) => schemes.every(({ name }) => isDeclared(schemeVariable(name))))
  )
}

/** Returns the name of an operation for a request block: `METHOD /path` if its `operationId` isn't unique. */
export function requestName({ document }: GeneratingApi, operation: Operation): string {
  const found = findOperation(document, { operation: operation.name })
  const isUnique = found.status === "found" && found.operation === operation && !hasTokens(operation.name)
  return isUnique ? operation.name : `${operation.method} ${operation.path}`
}

/** Returns the slug of the resource that the format says an operation belongs to. */
export const resourceOf = (operation: Operation): string => slug(operation.resources[0] ?? "") || "api"

/** Returns a name that inputs and blocks can have. */
export const inputName = (name: string): string => {
  const plain = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_").replaceAll(/^_+|_+$/g, "")
  return plain !== "" && checkId(plain) === undefined ? plain : "value"
}
