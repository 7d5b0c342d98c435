// The operations of a document: a list that is made once, apart from what the operations say.

import { getOrCreate, isJsonArray, type JsonObject, type JsonPart, memo, partOf } from "@callsheet/format"
import { dereference, dereferenceObject, type LocatedObject, type OpenApiDocument } from "./document.ts"
import { escapePointer, itemsIn, type Located } from "./located.ts"

export interface Operation {
  /** The operationId, or `METHOD /path` where there is none. */
  readonly name: string
  readonly operationId?: string
  readonly method: string
  readonly path: string
  readonly summary: string | undefined
  readonly isDeprecated: boolean
  readonly tags: readonly string[]
  /** Its tags or, where it has none, the first literal segment of its path. */
  readonly resources: readonly string[]
  readonly pointer: string
  readonly value: JsonObject
  /** The path item around it: parameters and servers for all of its operations. */
  readonly pathItem: JsonObject
  readonly pathPointer: string
}

/** `query` is 3.2's; a document of an earlier version that has it means the same. */
export const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])

/** Every operation, in the order of the document. Of a document that is read part by part, only the names are read. */
export const listOperations = (document: OpenApiDocument): readonly Operation[] =>
  getOrCreate(lists, document, () => {
    const paths = (document.part ?? partOf(document.root)).member("paths")
    return (paths?.entries() ?? []).flatMap(([path, item]) => operationsOfPath(document, path, item))
  })

const lists = new WeakMap<OpenApiDocument, readonly Operation[]>()

/** So many operations are found by their names before a list of all is worth its price. */
const FEW_LOOK_UPS = 8
const lookUpsOf = memo((_: OpenApiDocument) => new Map<string, readonly Operation[]>())

/** Finds operations by their id without listing all. Undefined if only the list of all can tell. */
export function operationsOfId(
  document: OpenApiDocument,
  operationId: string,
): readonly Operation[] | undefined {
  const paths = document.part?.member("paths")
  // 3.2 has operations deeper inside.
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

/** The parameters of an operation's path and its own, behind their references; undefined for one that leads nowhere. */
export const writtenParameters = (
  document: OpenApiDocument,
  operation: Operation,
): readonly (Located | undefined)[] =>
  [{ value: operation.pathItem, pointer: operation.pathPointer }, operation].flatMap((holder) =>
    itemsIn(holder, "parameters").map((written) => dereference(document, written)),
  )

function operationsOfPath(document: OpenApiDocument, path: string, item: JsonPart): readonly Operation[] {
  if (path.startsWith("x-")) return [] // an extension
  if (item.member("$ref") === undefined) return item.isObject ? operationsOfItem(path, { part: item }) : []
  const [referenced, own] = pathItemsOf(document, path, item)
  const mine = own === undefined ? [] : operationsOfItem(path, own)
  const others = referenced === undefined ? [] : operationsOfItem(path, referenced)
  return [...others.filter(({ method }) => !mine.some((one) => one.method === method)), ...mine]
}

function operationsOfItem(path: string, item: PathItem): readonly Operation[] {
  const operations: Operation[] = []
  for (const [key, part] of item.part.entries()) {
    if (methods.has(key) && part.isObject)
      operations.push(new ListedOperation({ path, item, method: key.toUpperCase(), steps: [key], part }))
    // 3.2: methods by their own names.
    if (key !== "additionalOperations") continue
    for (const [method, operation] of part.entries()) {
      if (operation.isObject)
        operations.push(new ListedOperation({ path, item, method, steps: [key, method], part: operation }))
    }
  }
  return operations
}

interface PathItem {
  readonly part: JsonPart
  /** Undefined where it stands in `paths` itself. */
  readonly pointer?: string
  /** What holds for all operations of a path that is said in two places, and where its parameters stand. */
  readonly shared?: LocatedObject
}

/** The path item that a `$ref` leads to, and what stands beside the `$ref`, which goes before it. */
function pathItemsOf(
  document: OpenApiDocument,
  path: string,
  item: JsonPart,
): readonly [referenced: PathItem | undefined, own: PathItem | undefined] {
  const pointer = `/paths/${escapePointer(path)}`
  const value = item.value() as JsonObject
  const target = dereferenceObject(document, { value, pointer })
  const referenced = target && { part: partOf(target.value), pointer: target.pointer }
  if (Object.keys(value).length === 1) return [referenced, undefined]
  const isOwn = target === undefined || Object.hasOwn(value, "parameters")
  const shared = { value: { ...target?.value, ...value }, pointer: isOwn ? pointer : target.pointer }
  return [referenced && { ...referenced, shared }, { part: item, pointer, shared }]
}

interface Place {
  readonly path: string
  readonly item: PathItem
  readonly method: string
  readonly steps: readonly string[]
  readonly part: JsonPart
}

/** What a workflow finds an operation by is read at once, everything else when it is asked for. */
class ListedOperation implements Operation {
  readonly method: string
  readonly path: string
  readonly operationId?: string
  readonly #place: Place
  #pointer: string | undefined

  constructor(place: Place) {
    this.#place = place
    this.method = place.method
    this.path = place.path
    const operationId = textOf(place.part.member("operationId"))
    if (operationId !== undefined) this.operationId = operationId
  }

  get name(): string {
    return this.operationId ?? `${this.method} ${this.path}`
  }

  get summary(): string | undefined {
    return textOf(this.#place.part.member("summary"))
  }

  get isDeprecated(): boolean {
    return this.#place.part.member("deprecated")?.value() === true
  }

  get tags(): readonly string[] {
    const tags = this.#place.part.member("tags")?.value()
    return isJsonArray(tags) ? [...new Set(tags.filter((tag) => typeof tag === "string"))] : []
  }

  get resources(): readonly string[] {
    const { tags } = this
    return tags.length > 0 ? tags : literalSegment(this.path)
  }

  get pointer(): string {
    this.#pointer ??= [this.#itemPointer, ...this.#place.steps.map(escapePointer)].join("/")
    return this.#pointer
  }

  get #itemPointer(): string {
    return this.#place.item.pointer ?? `/paths/${escapePointer(this.path)}`
  }

  get value(): JsonObject {
    return this.#place.part.value() as JsonObject
  }

  get pathItem(): JsonObject {
    return this.#place.item.shared?.value ?? (this.#place.item.part.value() as JsonObject)
  }

  get pathPointer(): string {
    return this.#place.item.shared?.pointer ?? this.#itemPointer
  }
}

function textOf(part: JsonPart | undefined): string | undefined {
  const value = part?.value()
  return typeof value === "string" ? value : undefined
}

function literalSegment(path: string): readonly string[] {
  const segment = path.split("/").find((part) => part !== "" && !part.includes("{"))
  return segment === undefined ? [] : [segment]
}
