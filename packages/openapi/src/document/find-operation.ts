// Finds an operation by the name that a workflow uses.

import { type Finding, suggest } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { escapePointer, objectMember, textMember } from "./located.ts"
import { listOperations, type Operation, operationsOfId } from "./operations.ts"
import { findReferenced } from "./part.ts"
import { messages, reasons } from "./messages.ts"

/** Formats a tag as a directory name: `Order lines` becomes `order-lines`. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")

export type FoundOperation =
  | { readonly status: "found"; readonly operation: Operation }
  | ({ readonly status: "unknown" | "ambiguous" } & Finding<"operation-unknown">)

/** Finds an operation by operationId or `METHOD /path`. `resource`, a tag or its slug, resolves ambiguous names. */
export function findOperation(
  document: OpenApiDocument,
  { operation: name, resource }: { readonly operation: string; readonly resource?: string | undefined },
): FoundOperation {
  const named = operationsOfId(document, name) ?? listedAs(document, name)
  const matching = resource === undefined ? named : ofResource(named, resource)
  const [first, ...others] = matching
  if (first === undefined) return explainUnknown(document, named, { name, resource })
  if (others.length > 0) return explainSeveral(matching, { name, resource })
  return { status: "found", operation: first }
}

function listedAs(document: OpenApiDocument, name: string): readonly Operation[] {
  const all = listOperations(document)
  const ofThatId = all.filter((operation) => operation.operationId === name)
  return ofThatId.length > 0 ? ofThatId : all.filter((operation) => isMethodAndPath(operation, name))
}

export const findOperationByPath = (document: OpenApiDocument, method: string, path: string) =>
  listOperations(document).find((one) => one.method === method.toUpperCase() && one.path === path)

function isMethodAndPath(operation: Operation, name: string): boolean {
  const [, method, path] = /^([^\s/]+) +(\/.*)$/.exec(name) ?? []
  return operation.path === path && operation.method.toUpperCase() === method?.toUpperCase()
}

/** Tags may differ only in case, so an exact match is preferred. */
function ofResource(operations: readonly Operation[], resource: string): readonly Operation[] {
  const verbatim = operations.filter(({ resources }) => resources.includes(resource))
  if (verbatim.length > 0) return verbatim
  return operations.filter(({ resources }) => resources.some((own) => slug(own) === slug(resource)))
}

interface Names {
  readonly name: string
  readonly resource: string | undefined
}

function explainSeveral(operations: readonly Operation[], { name, resource }: Names): FoundOperation {
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
): FoundOperation {
  if (resource !== undefined && elsewhere.length > 0) {
    const owners = [...new Set(elsewhere.flatMap(({ resources }) => resources))]
    return { status: "unknown", ...messages["operation-unknown"].otherResource(name, resource, owners) }
  }
  const all = listOperations(document)
  const known = name.includes("/")
    ? all.map(({ method, path }) => `${method} ${path}`)
    : all.map((operation) => operation.name)
  const hint = suggest(name, known) ?? lostPathHint(document)
  return { status: "unknown", ...messages["operation-unknown"].unknown(name, hint) }
}

/** An operation missing from the list may be behind a path's broken reference. */
function lostPathHint(document: OpenApiDocument): string | undefined {
  for (const [path, item] of Object.entries(objectMember(document.root, "paths") ?? {})) {
    const reference = textMember(item, "$ref")
    if (reference === undefined) continue
    const found = findReferenced(document, reference, `/paths/${escapePointer(path)}`)
    if (!found.ok) return reasons.lostPath(path, found.problem.message)
  }
  return undefined
}
