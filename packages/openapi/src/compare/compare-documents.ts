// Compares two OpenAPI documents: every change, with what it may break in theory. Knows nothing of a project.

import type { OpenApiDocument } from "../document/document.ts"
import { requestBodyOf } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Change } from "./change.ts"
import { type Collector, createCollector, type DirectChange } from "./collector.ts"
import { compareDocumentAccess, compareOperationAccess } from "./compare-access.ts"
import { compareContent } from "./compare-content.ts"
import { compareParameters } from "./compare-parameters.ts"
import { compareResponses } from "./compare-responses.ts"
import { compareSchemas } from "./compare-schemas.ts"
import { expandSchemas } from "./expand-schemas.ts"
import { labelOf, matchOperations } from "./match-operations.ts"
import { describeChange } from "./messages.ts"
import { createSameness } from "./sameness.ts"
import { createSchemaPairs } from "./schema-pairs.ts"

/**
 * Returns what changed from one document to another: first for the whole document, then by operation in the order of the
 * new document, then the removed operations. References, `allOf`, renamed components, order, descriptions, and the
 * spelling of a version are no changes. Callbacks and webhooks aren't compared.
 */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument): readonly Change[] {
  const pairs = createSchemaPairs(createSameness())
  const collector = createCollector(pairs)
  compareDocumentAccess(collector, before, after)
  const { matched, added, removed } = matchOperations(before, after)
  const partners = new Map(matched.map(([one, other]) => [other, one]))
  const ids = { before: pathsById(removed), after: pathsById(added) }
  for (const [one, other] of matched) compareOperation(collector, one, other)
  for (const operation of added)
    if (!partners.has(operation))
      collector.report(wholeChange("operation-added", operation, ids.before.get(operation.operationId)))
  for (const operation of removed)
    collector.report(wholeChange("operation-removed", operation, ids.after.get(operation.operationId)))
  pairs.compareAll((pair) => compareSchemas(pairs, pair))
  return collector.items.flatMap((item) => ("pair" in item ? [...expandSchemas(item)] : [directChange(item)]))
}

const pathsById = (operations: readonly Operation[]): ReadonlyMap<string | undefined, string> =>
  new Map(
    operations.flatMap((operation) =>
      operation.operationId === undefined ? [] : [[operation.operationId, labelOf(operation)] as const],
    ),
  )

function wholeChange(
  kind: "operation-added" | "operation-removed",
  operation: Operation,
  sameId: string | undefined,
): DirectChange {
  const isAdded = kind === "operation-added"
  return {
    kind,
    facts: { operationId: operation.operationId, sameId },
    breaks: isAdded ? undefined : "calls",
    place: { operation: labelOf(operation), side: "request", path: "" },
    ...(isAdded ? { after: operation.pointer } : { before: operation.pointer }),
  }
}

const directChange = ({ place, ...change }: DirectChange): Change =>
  ({
    before: undefined,
    after: undefined,
    ...change,
    ...place,
    message: describeChange(change.kind, change.facts, place),
    isAt: (path: string) => path === place.path,
  }) as Change

function compareOperation(collector: Collector, before: Operation, after: Operation): void {
  compareNames(collector, before, after)
  compareOperationAccess(collector, before, after)
  compareParameters(collector, before, after)
  compareBodies(collector, before, after)
  compareResponses(collector, before, after)
}

function compareNames(collector: Collector, before: Operation, after: Operation): void {
  const place = { operation: labelOf(after), side: "request", path: "" } as const
  const resources = { from: before.resources, to: after.resources }
  const places = { place, before: before.pointer, after: after.pointer }
  if (before.operationId !== after.operationId) {
    const facts = { from: before.operationId, to: after.operationId, resources }
    // A name that is added breaks nothing: without one, the operation is called by method and path.
    const breaks = before.operationId === undefined ? undefined : "names"
    collector.report({ kind: "operation-renamed", facts, breaks, ...places })
  }
  const isSame = before.resources.toSorted().join("\n") === after.resources.toSorted().join("\n")
  if (isSame || before.resources.length === 0) return
  const isKept = before.resources.every((name) => after.resources.includes(name))
  collector.report({
    kind: "resource-changed",
    facts: resources,
    breaks: isKept ? undefined : "names",
    ...places,
  })
}

function compareBodies(collector: Collector, before: Operation, after: Operation): void {
  const old = requestBodyOf(before)
  const current = requestBodyOf(after)
  const place = { operation: labelOf(after), side: "request", path: "/body" } as const
  const places = { place, before: before.pointer, after: after.pointer }
  if (old === undefined && current === undefined) return
  if (current === undefined)
    return collector.report({
      kind: "body-removed",
      facts: { required: old?.required === true },
      breaks: "sends",
      ...places,
    })
  if (old === undefined)
    return collector.report({
      kind: "body-added",
      facts: { required: current.required },
      breaks: current.required ? "omits" : undefined,
      ...places,
    })
  if (!old.required && current.required)
    collector.report({ kind: "body-required", facts: { required: true }, breaks: "omits", ...places })
  if (old.required && !current.required)
    collector.report({ kind: "body-optional", facts: { required: false }, breaks: undefined, ...places })
  compareContent(collector, { place, before: old.content, after: current.content })
}
