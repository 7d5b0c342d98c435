// Lists the operations of a document. The list is built once, from names only.

import {
  type Finding,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPart,
  type JsonValue,
  memo,
  partOf,
  suggest,
  withReplacement,
} from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { escapePointer, member, textMember } from "./located.ts"
import { findReferenced, Part, WrittenPart } from "./part.ts"
import { messages, reasons } from "./messages.ts"

interface Place {
  readonly item: PathItem
  readonly method: string
  readonly pointer: string
  readonly part: JsonPart
}

/**
 * An operation. Reads its names at once, because workflows find operations by name. Reads everything else on demand.
 */
export class Operation extends Part {
  readonly method: string
  readonly path: string
  readonly operationId?: string
  readonly #place: Place

  constructor(place: Place) {
    super()
    this.#place = place
    this.method = place.method
    this.path = place.item.path
    const operationId = stringValue(place.part.member("operationId"))
    if (operationId !== undefined) this.operationId = operationId
  }

  /** The operationId or, without one, `METHOD /path`. */
  get name(): string {
    return this.operationId ?? `${this.method} ${this.path}`
  }

  get summary(): string | undefined {
    return stringValue(this.#place.part.member("summary"))
  }

  get isDeprecated(): boolean {
    return this.#place.part.member("deprecated")?.value() === true
  }

  get tags(): readonly string[] {
    const tags = this.#place.part.member("tags")?.value()
    return isJsonArray(tags) ? [...new Set(tags.filter((tag) => typeof tag === "string"))] : []
  }

  /** The tags or, without any, the first literal segment of the path. */
  get resources(): readonly string[] {
    const { tags } = this
    if (tags.length > 0) return tags
    return this.path
      .split("/")
      .filter((part) => part !== "" && !part.includes("{"))
      .slice(0, 1)
  }

  get document(): OpenApiDocument {
    return this.#place.item.document
  }

  get value(): JsonValue {
    return this.#place.part.value()
  }

  get pointer(): string {
    return this.#place.pointer
  }

  /** The path item, which has the parameters and servers that all its operations share. */
  get pathItem(): Part {
    const { document, part, pointer, shared } = this.#place.item
    return shared ?? new WrittenPart(document, part.value(), pointer)
  }
}

/** The HTTP methods. `query` is new in 3.2 but accepted in any version. */
export const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])

/** Lists every operation in document order. Reads only names if the document has an outline. */
export const listOperations = (document: OpenApiDocument): readonly Operation[] =>
  getOrCreate(lists, document, () => {
    const paths = pathsOf(document)
    return (paths?.part.entries() ?? []).flatMap(([path, item]) => operationsOfPath(document, path, item))
  })

/** A place in the document or in another file, with its location in the format of `Part.pointer`. */
interface LocatedPart {
  readonly part: JsonPart
  readonly pointer: string
}

/**
 * Returns the paths. Follows a reference in their place, which the standard doesn't allow but tools that join files do.
 */
export const pathsOf = memo((document: OpenApiDocument): LocatedPart | undefined => {
  const part = (document.part ?? partOf(document.root)).member("paths")
  return part && followed(document, { part, pointer: "/paths" })
})

/** Returns the target of a part's reference, or the part itself. Undefined if the reference is broken. */
function followed(document: OpenApiDocument, located: LocatedPart): LocatedPart | undefined {
  const { part, pointer } = located
  if (stringValue(part.member("$ref")) === undefined) return located
  const target = new WrittenPart(document, part.value(), pointer).dereference()
  return target && { part: partOf(target.value), pointer: target.pointer }
}

const lists = new WeakMap<OpenApiDocument, readonly Operation[]>()

/** After this many lookups by name, listing every operation is faster. */
const FEW_LOOK_UPS = 8
const lookUpsOf = memo((_: OpenApiDocument) => new Map<string, readonly Operation[]>())

/** Finds operations by id without listing all operations. Returns undefined if only the full list can answer. */
function operationsOfId(document: OpenApiDocument, operationId: string): readonly Operation[] | undefined {
  const paths = document.part?.member("paths")
  // 3.2 also nests operations in `additionalOperations`.
  if (paths === undefined || document.version === "3.2") return undefined
  const known = lookUpsOf(document)
  const isWorthIt = known.size < FEW_LOOK_UPS && !lists.has(document) && !hasReferredPaths(paths)
  if (!known.has(operationId) && !isWorthIt) return undefined
  const operations = getOrCreate(known, operationId, () => lookUp(document, paths, operationId))
  return operations.length === 0 ? undefined : operations
}

function lookUp(document: OpenApiDocument, paths: JsonPart, operationId: string): readonly Operation[] {
  const holders = paths.holdersOf("operationId", operationId) ?? []
  return [...new Set(holders.flatMap((keys) => keys.slice(0, 1)))]
    .flatMap((path) => {
      const item = paths.member(path)
      return item === undefined ? [] : operationsOfPath(document, path, item)
    })
    .filter((operation) => operation.operationId === operationId)
}

const hasReferredPaths = memo((paths: JsonPart): boolean => paths.someMemberHas("$ref"))

/**
 * Returns the parameters of the path and the operation, with references resolved. A broken reference becomes undefined.
 */
export const writtenParameters = (operation: Operation): readonly (Part | undefined)[] =>
  [operation.pathItem, operation].flatMap((holder) =>
    holder.items("parameters").map((written) => written.dereference()),
  )

function operationsOfPath(document: OpenApiDocument, path: string, part: JsonPart): readonly Operation[] {
  if (path.startsWith("x-")) return [] // an extension
  const holder = pathsOf(document)?.pointer ?? ""
  const item = { document, path, part, pointer: `${holder}/${escapePointer(path)}` }
  if (part.member("$ref") === undefined) return part.isObject ? operationsOfItem(item) : []
  const [referenced, own] = pathItemsOf(item)
  const mine = own === undefined ? [] : operationsOfItem(own)
  const others = referenced === undefined ? [] : operationsOfItem(referenced)
  return [...others.filter(({ method }) => !mine.some((one) => one.method === method)), ...mine]
}

/** Returns the operations of a path item that isn't one of the document's paths. `name` stands for the path. */
export function operationsAt(item: Part, name: string): readonly Operation[] {
  const { document, value, pointer } = item
  return isJsonObject(value) ? operationsOfItem({ document, path: name, part: partOf(value), pointer }) : []
}

function operationsOfItem(item: PathItem): readonly Operation[] {
  const operations: Operation[] = []
  const addOperation = (method: string, part: JsonPart, at: string): void => {
    const found = part.isObject && followed(item.document, { part, pointer: `${item.pointer}/${at}` })
    if (found) operations.push(new Operation({ item, method, ...found }))
  }
  for (const [key, part] of item.part.entries()) {
    if (methods.has(key)) addOperation(key.toUpperCase(), part, key)
    // In 3.2, `additionalOperations` has methods with custom names.
    if (key !== "additionalOperations") continue
    for (const [method, inner] of part.entries())
      addOperation(method, inner, `${key}/${escapePointer(method)}`)
  }
  return operations
}

interface PathItem {
  readonly document: OpenApiDocument
  readonly path: string
  readonly part: JsonPart
  readonly pointer: string
  /** The merged path item for a path with both a `$ref` and other keywords. Its location is that of the parameters. */
  readonly shared?: Part
}

/** Returns the path item that a `$ref` points to, and the keywords beside the `$ref`, which override it. */
function pathItemsOf(item: PathItem): readonly [referenced: PathItem | undefined, own: PathItem | undefined] {
  const { document, pointer } = item
  const value = item.part.value() as JsonObject
  const target = new WrittenPart(document, value, pointer).dereferenceObject()
  const referenced = target && { ...item, part: partOf(target.value), pointer: target.pointer }
  if (Object.keys(value).length === 1) return [referenced, undefined]
  const isOwn = target === undefined || Object.hasOwn(value, "parameters")
  const both = { ...target?.value, ...value }
  const shared = new WrittenPart(document, both, isOwn ? pointer : target.pointer)
  return [referenced && { ...referenced, shared }, { ...item, shared }]
}

function stringValue(part: JsonPart | undefined): string | undefined {
  const value = part?.value()
  return typeof value === "string" ? value : undefined
}

/** Formats a tag as a directory name: `Order lines` becomes `order-lines`. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")

export type OperationResult =
  | { readonly status: "found"; readonly operation: Operation }
  | ({
      readonly status: "unknown" | "ambiguous"
      /** Set if the operation exists, but not in this resource. */
      readonly of?: "resource"
    } & Finding<"operation-unknown">)

/** Finds an operation by operationId or `METHOD /path`. `resource`, a tag or its slug, resolves ambiguous names. */
export function findOperation(
  document: OpenApiDocument,
  { operation: name, resource }: { readonly operation: string; readonly resource?: string | undefined },
): OperationResult {
  const named = operationsOfId(document, name) ?? listedAs(document, name)
  const matching = resource === undefined ? named : ofResource(named, resource)
  const [first, ...others] = matching
  if (first === undefined) return explainUnknown(document, named, { name, resource })
  if (others.length > 0) return explainSeveral(matching, { name, resource })
  return { status: "found", operation: first }
}

function listedAs(document: OpenApiDocument, name: string): readonly Operation[] {
  const ofThatId = operationsById(document).get(name) ?? []
  return ofThatId.length > 0
    ? ofThatId
    : listOperations(document).filter((operation) => isMethodAndPath(operation, name))
}

const operationsById = memo((document: OpenApiDocument): ReadonlyMap<string, readonly Operation[]> => {
  const byId = new Map<string, Operation[]>()
  for (const operation of listOperations(document))
    if (operation.operationId !== undefined)
      getOrCreate(byId, operation.operationId, () => []).push(operation)
  return byId
})

export const findOperationByPath = (document: OpenApiDocument, method: string, path: string) =>
  listOperations(document).find((one) => one.method === method.toUpperCase() && one.path === path)

function isMethodAndPath(operation: Operation, name: string): boolean {
  const [, method, path] = /^([^\s/]+) +(\/.*)$/.exec(name) ?? []
  return operation.path === path && operation.method.toUpperCase() === method?.toUpperCase()
}

/** Returns the operations of a resource. An exact match wins, because tags may differ only in case. */
export function ofResource(operations: readonly Operation[], resource: string): readonly Operation[] {
  const verbatim = operations.filter(({ resources }) => resources.includes(resource))
  if (verbatim.length > 0) return verbatim
  return operations.filter(({ resources }) => resources.some((own) => slug(own) === slug(resource)))
}

interface Names {
  readonly name: string
  readonly resource: string | undefined
}

function explainSeveral(operations: readonly Operation[], { name, resource }: Names): OperationResult {
  const places = operations.map(
    ({ method, path, resources }) => `${method} ${path} (${resources.join(", ") || "no resource"})`,
  )
  const owners = new Set(operations.map(({ resources }) => resources.join("\n")))
  const isUnique = resource === undefined && owners.size === operations.length
  return { status: "ambiguous", ...messages["operation-unknown"].several(name, places, isUnique) }
}

function explainUnknown(
  document: OpenApiDocument,
  elsewhere: readonly Operation[],
  { name, resource }: Names,
): OperationResult {
  if (resource !== undefined && elsewhere.length > 0) {
    const owners = [...new Set(elsewhere.flatMap(({ resources }) => resources))]
    const finding = messages["operation-unknown"].otherResource(name, resource, owners)
    const near = withReplacement(finding, { is: "value", from: resource, known: owners })
    return { status: "unknown", of: "resource", ...near }
  }
  const all = listOperations(document)
  const known = name.includes("/")
    ? all.map(({ method, path }) => `${method} ${path}`)
    : all.map((operation) => operation.name)
  const hint = suggest(name, known) ?? lostPathHint(document)
  const finding = messages["operation-unknown"].unknown(name, hint)
  return { status: "unknown", ...withReplacement(finding, { is: "value", from: name, known }) }
}

/** Returns a hint about a path with a broken reference, because a missing operation may be in it. */
function lostPathHint(document: OpenApiDocument): string | undefined {
  const { root } = document
  const own = textMember(member(root, "paths"), "$ref")
  const lost = own === undefined ? undefined : findReferenced(document, own, "/paths")
  if (lost?.ok === false) return reasons.lostPaths(lost.problem.message)
  const { part, pointer } = pathsOf(document) ?? {}
  const paths = part?.value()
  for (const [path, item] of Object.entries(isJsonObject(paths) ? paths : {})) {
    const reference = textMember(item, "$ref")
    if (reference === undefined) continue
    const found = findReferenced(document, reference, `${pointer}/${escapePointer(path)}`)
    if (!found.ok) return reasons.lostPath(path, found.problem.message)
  }
  return undefined
}
