// The operations of a document: a list that is made once, apart from what the operations say.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { dereference, listMember, objectMember, textMember, type OpenApiDocument } from "./document.ts"
import { escapePointer } from "./json-pointer.ts"

export interface Operation {
  /** The operationId, or `METHOD /path` where there is none. */
  readonly name: string
  readonly operationId?: string
  /** Upper case. */
  readonly method: string
  /** With `{parameters}`. */
  readonly path: string
  readonly summary?: string
  readonly tags: readonly string[]
  /** Its tags or, where it has none, the first literal segment of its path. */
  readonly resources: readonly string[]
  /** JSON pointer of the operation object. */
  readonly pointer: string
  readonly value: JsonObject
  /** The path item around it: parameters and servers for all of its operations. */
  readonly pathItem: JsonObject
  readonly pathPointer: string
}

/** `query` is 3.2's; a document of an earlier version that has it means the same. */
const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])

const lists = new WeakMap<OpenApiDocument, readonly Operation[]>()

/**
 * Every operation, in the order of the document.
 *
 * @example
 * for (const { resources, name, method, path } of listOperations(document)) …
 */
export function listOperations(document: OpenApiDocument): readonly Operation[] {
  let list = lists.get(document)
  if (list === undefined) {
    const operations: Operation[] = []
    for (const [path, item] of Object.entries(objectMember(document.root, "paths") ?? {}))
      operations.push(...operationsOfPath(document, path, item))
    list = operations
    lists.set(document, list)
  }
  return list
}

function operationsOfPath(document: OpenApiDocument, path: string, item: JsonValue): readonly Operation[] {
  if (path.startsWith("x-")) return [] // an extension
  const found = dereference(document, { value: item, pointer: `/paths/${escapePointer(path)}` })
  if (!isJsonObject(found?.value)) return []
  const { value: pathItem, pointer: pathPointer } = found
  const operations: Operation[] = []
  const add = (method: string, value: JsonValue, pointer: string): void => {
    if (isJsonObject(value))
      operations.push(operationOf({ method, value, path, pathItem, pathPointer, pointer }))
  }
  for (const key of Object.keys(pathItem)) {
    if (methods.has(key)) add(key.toUpperCase(), pathItem[key]!, `${pathPointer}/${key}`)
  }
  // 3.2: methods by their own names.
  const additional = objectMember(pathItem, "additionalOperations")
  for (const [method, value] of Object.entries(additional ?? {}))
    add(method, value, `${pathPointer}/additionalOperations/${escapePointer(method)}`)
  return operations
}

type Place = Pick<Operation, "method" | "path" | "pointer" | "value" | "pathItem" | "pathPointer">

function operationOf(place: Place): Operation {
  const { value, method, path } = place
  const operationId = textMember(value, "operationId")
  const summary = textMember(value, "summary")
  const tags = [...new Set(listMember(value, "tags").filter((tag) => typeof tag === "string"))]
  return {
    name: operationId ?? `${method} ${path}`,
    ...(operationId === undefined ? {} : { operationId }),
    ...(summary === undefined ? {} : { summary }),
    tags,
    resources: tags.length > 0 ? tags : literalSegment(path),
    ...place,
  }
}

function literalSegment(path: string): readonly string[] {
  const segment = path.split("/").find((part) => part !== "" && !part.includes("{"))
  return segment === undefined ? [] : [segment]
}
