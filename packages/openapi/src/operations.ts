// The operations of a document: a list that is made once, and the ways to find one by name.

import { suggest, type JsonObject, type JsonValue } from "@callsheet/format"
import {
  dereference,
  escapePointer,
  member,
  objectMember,
  textMember,
  type OpenApiDocument,
} from "./document.ts"

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

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const

const lists = new WeakMap<OpenApiDocument, readonly Operation[]>()

/** Every operation, in the order of the document. */
export function listOperations(document: OpenApiDocument): readonly Operation[] {
  let list = lists.get(document)
  if (list === undefined) {
    list = Object.entries(objectMember(document.root, "paths") ?? {}).flatMap(([path, item]) =>
      operationsOfPath(document, path, item),
    )
    lists.set(document, list)
  }
  return list
}

function operationsOfPath(document: OpenApiDocument, path: string, item: JsonValue): readonly Operation[] {
  if (!path.startsWith("/")) return [] // an extension: `x-…`
  const found = dereference(document, item, `/paths/${escapePointer(path)}`)
  const pathItem = found?.value as JsonObject | undefined
  if (found === undefined || pathItem === undefined) return []
  return methods.flatMap((method): readonly Operation[] => {
    const value = objectMember(pathItem, method)
    if (value === undefined) return []
    const operationId = textMember(value, "operationId")
    const summary = textMember(value, "summary")
    const tags = tagsOf(value)
    return [
      {
        name: operationId ?? `${method.toUpperCase()} ${path}`,
        ...(operationId === undefined ? {} : { operationId }),
        method: method.toUpperCase(),
        path,
        ...(summary === undefined ? {} : { summary }),
        tags,
        resources: tags.length > 0 ? tags : literalSegment(path),
        pointer: `${found.pointer}/${method}`,
        value,
        pathItem,
        pathPointer: found.pointer,
      },
    ]
  })
}

function tagsOf(operation: JsonObject): readonly string[] {
  const tags = member(operation, "tags")
  return Array.isArray(tags) ? (tags as readonly JsonValue[]).filter((tag) => typeof tag === "string") : []
}

function literalSegment(path: string): readonly string[] {
  const segment = path.split("/").find((part) => part !== "" && !part.includes("{"))
  return segment === undefined ? [] : [segment]
}

/** A tag as it stands in a file name: `Order lines` is `order-lines`. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")

const belongsTo = (operation: Operation, resource: string): boolean =>
  operation.resources.some(
    (own) => own === resource || slug(own) === resource || slug(own) === slug(resource),
  )

export type FoundOperation =
  | { readonly status: "found"; readonly operation: Operation }
  | { readonly status: "unknown" | "ambiguous"; readonly message: string; readonly hint?: string }

/** Finds an operation by operationId or `METHOD /path`; `resource` tells several of one name apart. */
export function findOperation(
  document: OpenApiDocument,
  { operation: name, resource }: { readonly operation: string; readonly resource?: string },
): FoundOperation {
  const all = listOperations(document)
  const named = all.filter((operation) => operation.operationId === name)
  const byName = named.length > 0 ? named : all.filter((operation) => isMethodAndPath(operation, name))
  const matching =
    resource === undefined ? byName : byName.filter((operation) => belongsTo(operation, resource))
  const [first] = matching
  if (first !== undefined && matching.length === 1) return { status: "found", operation: first }
  if (first !== undefined) {
    const places = matching.map(
      ({ method, path, resources }) => `${method} ${path} (${resources.join(", ")})`,
    )
    const apart = new Set(matching.flatMap(({ resources }) => resources)).size > 1 && resource === undefined
    return {
      status: "ambiguous",
      message: `several operations are named "${name}": ${places.join("; ")}`,
      hint: apart ? `add "resource", or name it as "METHOD /path"` : `name it as "METHOD /path"`,
    }
  }
  return { status: "unknown", ...explainUnknown(all, byName, name, resource) }
}

const isMethodAndPath = (operation: Operation, name: string): boolean => {
  const [, method, path] = /^([A-Za-z]+) +(\/.*)$/.exec(name) ?? []
  return method !== undefined && operation.method === method.toUpperCase() && operation.path === path
}

function explainUnknown(
  all: readonly Operation[],
  elsewhere: readonly Operation[],
  name: string,
  resource: string | undefined,
): { message: string; hint?: string } {
  if (resource !== undefined && elsewhere.length > 0) {
    const owners = [...new Set(elsewhere.flatMap(({ resources }) => resources))]
    return {
      message: `the operation "${name}" does not belong to the resource "${resource}"`,
      hint:
        owners.length === 0
          ? `leave "resource" out`
          : `it belongs to ${owners.map((owner) => `"${owner}"`).join(", ")}`,
    }
  }
  const known = name.includes(" /")
    ? all.map(({ method, path }) => `${method} ${path}`)
    : all.map((operation) => operation.name)
  const hint = suggest(name, known)
  return { message: `the document has no operation "${name}"`, ...(hint === undefined ? {} : { hint }) }
}

/** The operation of exactly this method and path template. */
export const findOperationByPath = (
  document: OpenApiDocument,
  method: string,
  path: string,
): Operation | undefined =>
  listOperations(document).find(
    (operation) => operation.method === method.toUpperCase() && operation.path === path,
  )
