// Builds one workflow: its requests, and the requests that they depend on.

import {
  formatPath,
  ownOf,
  setOwn,
  type Assertion,
  type Block,
  type InputDeclaration,
  type JsonObject,
  type JsonValue,
  type Params,
  type TextMap,
  type ValueType,
  type Workflow,
} from "@callsheet/format"
import {
  findReference,
  hasKnownValues,
  isCredentialParameter,
  isForeignIdentifier,
  isIgnoredHeader,
  linksOf,
  parametersOf,
  referredPlaces,
  referringParameter,
  securityOf,
  singular,
  successBody,
  typeAt,
  type Operation,
  type Parameter,
  type Reference,
  type Resource,
  type RoleOperation,
  type Steps,
} from "@callsheet/openapi"
import { freeName } from "../names/free-name.ts"
import { idWord } from "../names/id-word.ts"
import { draftBody } from "./draft-body.ts"
import { fieldsOf, inputType, type Call, type Draft, type DraftedBody, type Provided } from "./draft-parts.ts"
import type { GeneratedFile } from "./generated.ts"
import {
  filterSampler,
  hasCredentials,
  inputName,
  requestName,
  sampler,
  type Ground,
  type KnownApi,
} from "./ground.ts"
import { statusAssertions } from "./expectations.ts"
import { generateTexts, sentences, summaryOf } from "./texts.ts"

export type Sent =
  | { readonly ok: true; readonly id: string; readonly body: DraftedBody }
  | { readonly ok: false; readonly reason: string }

/** An item to delete after the workflow, with the sources of the parameters. */
export interface Leftover {
  readonly resource: Resource
  readonly values: Readonly<Record<string, string>>
}

type Request = Extract<Block, { type: "request" }>["request"]

export class WorkflowDraft implements Draft {
  readonly ground: Ground
  readonly name: string
  /** In the order of creation. They are deleted in the other order. */
  readonly leftovers: Leftover[] = []
  readonly files: GeneratedFile[] = []
  readonly operations: { readonly api: KnownApi; readonly operation: Operation }[] = []
  readonly #blocks: Block[] = []
  #list = this.#blocks
  readonly #inputs: Record<string, InputDeclaration> = {}
  readonly #ids = new Set<string>()
  readonly #provided = new Map<Resource, Provided>()
  readonly #signedIn = new Map<KnownApi, string>()
  readonly #linked = new Map<Operation, string>()
  readonly #open = new Set<Resource>()

  constructor(ground: Ground, name: string) {
    this.ground = ground
    this.name = name
  }

  get inputNames(): readonly string[] {
    return Object.keys(this.#inputs)
  }

  get blocks(): readonly Block[] {
    return this.#blocks
  }

  workflow(validateContracts = true): Workflow & JsonObject {
    const inputs = this.inputNames.length === 0 ? {} : { inputs: { ...this.#inputs } }
    const contracts = validateContracts ? { validateContracts: true } : {}
    return { version: 1, ...contracts, ...inputs, blocks: this.#blocks } as Workflow & JsonObject
  }

  newId(wanted: string): string {
    const id = freeName(wanted, this.#ids)
    this.#ids.add(id)
    return id
  }

  assert(id: string, assertions: readonly Assertion[], description?: string): void {
    if (assertions.length > 0)
      this.#list.push({ id: this.newId(id), type: "assert", ...described(description), assertions })
  }

  add(block: Block): void {
    this.#list.push(block)
  }

  /** Adds the blocks of `make` to a nested list. */
  nested(make: () => void): readonly Block[] {
    const outer = this.#list
    const inner: Block[] = []
    this.#list = inner
    make()
    this.#list = outer
    return inner
  }

  /** Declares an input for what can't be decided. Returns its placeholder. */
  input(name: string, declaration: InputDeclaration): string {
    const id = this.newId(inputName(name))
    setOwn(this.#inputs, id, declaration)
    return `{{${id}}}`
  }

  /** Adds the request of an operation, after those that it depends on. */
  send(call: Call): Sent {
    const { api, operation } = call
    const notes: (string | undefined)[] = [summaryOf(operation), call.about]
    const token = this.#signIn(api, operation)
    const saved = call.body === undefined ? api.saved.get(operation) : undefined
    const params = this.#params(call, saved?.request.params, notes)
    if (token !== undefined) params["header"] = { Authorization: `Bearer {{${token}}}`, ...params["header"] }
    const body: DraftedBody | string =
      saved === undefined
        ? draftBody(this, call, notes)
        : { instance: saved, fields: savedFields(api, saved.request.body ?? null), overrides: undefined }
    if (typeof body === "string") return { ok: false, reason: body }
    const overrides = {
      ...(Object.keys(params).length === 0 ? {} : { params }),
      ...(body.overrides === undefined ? {} : { body: body.overrides }),
    }
    const target: Request =
      body.instance === undefined
        ? { api: api.name, operation: requestName(api, operation) }
        : { api: api.name, resource: body.instance.resource, instance: body.instance.name }
    const id = this.newId(call.id)
    this.#list.push({
      id,
      type: "request",
      ...described(sentences(notes)),
      request: Object.keys(overrides).length === 0 ? target : { ...target, overrides },
    })
    this.operations.push({ api, operation })
    if (operation === api.signIn?.operation && !this.#signedIn.has(api))
      this.#signedIn.set(api, formatPath([id, "response", "body", ...api.signIn.token]))
    return { ok: true, id, body }
  }

  /** Adds a request that makes what the next one reads, if it needs no input. */
  prepare(call: Call): void {
    this.#attempt(() => {
      const sent = this.send(call)
      if (sent.ok) this.assert("prepared", statusAssertions(sent.id, call.operation))
      return sent.ok ? true : undefined
    })
  }

  /** Remembers the item that a request created, and that it must be deleted. `from` is another path of its identifier. */
  created(resource: Resource, block: string, from?: string): Provided | undefined {
    const { create } = resource.roles
    if (create?.identifier === undefined) return undefined
    const source = from ?? createdSource(create, block)
    const provided = { resource, source, block, isOwn: true, kinds: kindsAt(create) }
    this.#provided.set(resource, provided)
    this.#remember(resource)
    return provided
  }

  provided = (resource: Resource): Provided | undefined => this.#provided.get(resource)

  /**
   * Returns an item of a resource. Creates one. If no request creates any, takes the first one of a list if nothing
   * changes it.
   */
  provide(resource: Resource, mayBeListed: boolean): Provided | undefined {
    const known = this.#provided.get(resource)
    if (known !== undefined && (known.isOwn || mayBeListed)) return known
    if (this.#open.has(resource)) return undefined
    this.#open.add(resource)
    const isListed = mayBeListed && resource.roles.create === undefined
    const found = this.#attempt(() => (isListed ? this.#findListed(resource) : this.#create(resource)))
    this.#open.delete(resource)
    return found
  }

  #create(resource: Resource): Provided | undefined {
    const { create } = resource.roles
    if (create?.identifier === undefined || create.operation.method !== "POST") return undefined
    const api = this.ground.apiOf(resource)
    const id = `create-${idWord(singular(resource.name))}`
    const sent = this.send({ api, operation: create.operation, id, creates: resource })
    if (!sent.ok) return undefined
    this.assert(`${sent.id}-passed`, statusAssertions(sent.id, create.operation))
    return this.created(resource, sent.id)
  }

  #findListed(resource: Resource): Provided | undefined {
    const { list } = resource.roles
    if (list?.identifier === undefined) return undefined
    const api = this.ground.apiOf(resource)
    const sent = this.send({ api, operation: list.operation, id: `list-${idWord(resource.name)}` })
    if (!sent.ok) return undefined
    this.assert(`${sent.id}-passed`, statusAssertions(sent.id, list.operation))
    const source = formatPath([sent.id, "response", "body", ...list.identifier])
    const provided = { resource, source, block: sent.id, isOwn: false, kinds: kindsAt(list) }
    this.#provided.set(resource, provided)
    return provided
  }

  /** Runs `make`. Undoes everything if it returns undefined or needs an input. */
  #attempt<T>(make: () => T | undefined): T | undefined {
    const inputs = this.inputNames.length
    const lists = [this.#list, this.leftovers, this.files, this.operations] as unknown[][]
    const lengths = lists.map((list) => list.length)
    const maps = [this.#provided, this.#signedIn, this.#linked] as Map<unknown, unknown>[]
    const copies = maps.map((map) => [...map])
    const ids = [...this.#ids]
    const made = make()
    if (made !== undefined && this.inputNames.length === inputs) return made
    lists.forEach((list, at) => list.splice(lengths[at] ?? 0))
    maps.forEach((map, at) => {
      map.clear()
      for (const [key, value] of copies[at] ?? []) map.set(key, value)
    })
    for (const name of this.inputNames.slice(inputs)) delete this.#inputs[name]
    this.#ids.clear()
    for (const id of ids) this.#ids.add(id)
    return undefined
  }

  #remember(resource: Resource): void {
    const { delete: remove } = resource.roles
    if (remove === undefined) return
    const { model } = this.ground.apiOf(resource)
    const parameters = parametersOf(remove.operation).filter((one) => one.in === "path")
    const values = parameters.flatMap(({ name }) => {
      const owner = model.resourceAt(remove.operation.path, name)
      const provided = owner && this.#provided.get(owner)
      return provided?.isOwn === true ? [[name, provided.source] as const] : []
    })
    if (parameters.length > 0 && values.length === parameters.length)
      this.leftovers.push({ resource, values: Object.fromEntries(values) })
  }

  /** Signs in before the first request that needs it. Returns the path of a bearer token to send. */
  #signIn(api: KnownApi, operation: Operation): string | undefined {
    const { signIn } = api
    if (signIn === undefined || operation === signIn.operation || hasCredentials(api, operation))
      return undefined
    if (!this.#signedIn.has(api)) {
      const sent = this.send({ api, operation: signIn.operation, id: "sign-in" })
      if (sent.ok) this.assert("signed-in", statusAssertions(sent.id, signIn.operation))
    }
    const isBearer = securityOf(operation).some((schemes) => schemes.some(({ kind }) => kind === "bearer"))
    // Otherwise, the run keeps the cookie.
    return isBearer ? this.#signedIn.get(api) : undefined
  }

  #params(call: Call, saved: Params | undefined, notes: (string | undefined)[]) {
    const params: { [place in Parameter["in"]]?: TextMap } = {}
    for (const parameter of parametersOf(call.operation)) {
      const { in: place, name, required } = parameter
      if (!required || ownOf(saved?.[place] ?? {}, name) !== undefined) continue
      if (place === "header" && (isIgnoredHeader(name) || isCredentialParameter(call.operation, name)))
        continue
      const text =
        (place === "path" ? ownOf(call.path ?? {}, name) : undefined) ??
        this.#parameter(call, parameter, notes)
      params[place] = { ...params[place], [name]: text }
    }
    return params
  }

  #parameter(call: Call, parameter: Parameter, notes: (string | undefined)[]): string {
    const { api, operation } = call
    const { name } = parameter
    const link = linksOf(api.document).find(
      ({ from, to, parameter: linked }) => to === operation && linked === name && from !== operation,
    )
    const own = parameter.in === "path" ? api.model.resourceAt(operation.path, name) : undefined
    if (link !== undefined && link.from !== own?.roles.create?.operation) {
      const source = this.#callLinked(api, link.from, link.path)
      if (source !== undefined) {
        notes.push(generateTexts.isLinked(name, source, link.name))
        return `{{${source}}}`
      }
    }
    const value = referringParameter(parameter)
    const reference =
      own === undefined
        ? findReference(this.ground.modelsFor(api), value)
        : { resource: own, value, why: "path" as const, isWeak: false }
    // An item that was there before must not be changed.
    const isRead = operation.method === "GET" || operation.method === "HEAD" || parameter.in !== "path"
    const provided = reference && this.reference(reference, call, isRead)
    if (provided !== undefined && reference !== undefined) {
      const why = own?.identifier?.why === "link" ? "link" : reference.why
      notes.push(generateTexts.isFrom(name, provided.source, why, provided.resource.name))
      return `{{${provided.source}}}`
    }
    const isUnknown = parameter.in === "path" || isForeignIdentifier(name) || isSecretName(name)
    const mustAsk = isUnknown || (parameter.in === "query" && parameter.schema?.text("format") === "uuid")
    const sample = mustAsk && !hasKnownValues(value) && !isShown(parameter) ? undefined : textOf(parameter)
    return sample ?? this.input(name, this.#declaration(parameter, operation))
  }

  /** Returns the item that a value refers to, unless the request itself creates it. */
  reference({ resource, value, why }: Reference, call: Call, mayBeListed: boolean): Provided | undefined {
    const provided = resource === call.creates ? undefined : this.provide(resource, mayBeListed)
    const { create, list } = resource.roles
    const producer = provided?.isOwn === true ? create : list
    if (provided === undefined || producer === undefined) return undefined
    const place = referredPlaces(resource, producer, value)[0]
    // Where a path has an identifier is more certain than of what kind it is.
    if (place === undefined) return why === "path" ? provided : undefined
    return {
      ...provided,
      source: formatPath([provided.block, "response", "body", ...place]),
      kinds: typeAt(successBody(producer.operation), place)?.kinds,
    }
  }

  #callLinked(api: KnownApi, operation: Operation, path: Steps): string | undefined {
    const role = api.model.roleOf(operation)
    const known =
      role?.role === "create" ? this.provide(role.resource, false)?.block : this.#linked.get(operation)
    const block = known ?? this.#attempt(() => this.#sendLinked(api, operation))
    return block === undefined ? undefined : formatPath([block, "response", ...path])
  }

  #sendLinked(api: KnownApi, operation: Operation): string | undefined {
    // Two operations may link to each other.
    if (this.#linked.has(operation) || this.#linked.size > MAX_LINKED) return undefined
    this.#linked.set(operation, "")
    const sent = this.send({ api, operation, id: idWord(operation.name) })
    if (!sent.ok) return undefined
    this.#linked.set(operation, sent.id)
    this.assert(`${sent.id}-passed`, statusAssertions(sent.id, operation))
    return sent.id
  }

  #declaration({ name, description, schema }: Parameter, operation: Operation): InputDeclaration {
    return {
      type: inputType(schema),
      required: true,
      description: sentences([generateTexts.undecidedValue(name, operation), shortText(description)]) ?? "",
    }
  }
}

/** Returns the path of the identifier in the response of a block. */
export const createdSource = ({ identifier = [] }: RoleOperation, block: string): string =>
  formatPath([block, "response", "body", ...identifier])

/** Returns the kinds that an identifier in a response may be. */
export const kindsAt = ({ operation, identifier }: RoleOperation): ValueType["kinds"] =>
  identifier && typeAt(successBody(operation), identifier)?.kinds

const MAX_LINKED = 20

const described = (description: string | undefined) => (description === undefined ? {} : { description })

/** Returns the first sentence of a description, on one line. */
function shortText(text: string | undefined): string | undefined {
  const [first = ""] = (text ?? "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?]) /)
  return first === "" || first.length > 160 ? undefined : /[.!?]$/.test(first) ? first : `${first}.`
}

const isSecretName = (name: string): boolean =>
  /(?:token|api[-_]?key|secret|authorization|password)$/i.test(name)

/** Returns whether the document shows a value beside the schema. */
const isShown = ({ value }: Parameter): boolean =>
  value?.member("example") !== undefined || value?.member("examples") !== undefined

function textOf(parameter: Parameter): string | undefined {
  const isFilter = parameter.in === "query" || parameter.in === "path"
  const sample = (isFilter ? filterSampler : sampler).sampleParameter(parameter)
  if (!sample.isDecided) return undefined
  const { value } = sample
  const items = Array.isArray(value) ? value : [value]
  if (items.length === 0 || items.some((item) => typeof item === "object")) return undefined
  const text = items.map(String).join(",")
  if (text === "") return undefined
  return isFilter ? text.replaceAll("{{", String.raw`\{{`) : text
}

/** Returns the fields of a saved body. Outside of a request, a variable has the name of its API before it. */
const savedFields = (api: KnownApi, body: JsonValue) =>
  fieldsOf(body).map(({ steps, value }) => ({
    steps,
    value:
      typeof value === "string"
        ? value.replaceAll(
            /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g,
            (_, name: string) => `{{env.${api.name}.${name}}}`,
          )
        : value,
  }))
