// Compares two OpenAPI documents: every change, with what it may break in theory. Knows nothing of a project.

import type { OpenApiDocument } from "../document/document.ts"
import { member, objectMember } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import type { Change } from "./change.ts"
import { createCollector, type DirectChange } from "./collector.ts"
import { compareDocumentAccess } from "./compare-access.ts"
import { compareOperation } from "./compare-operation.ts"
import { compareSchemas } from "./compare-schemas.ts"
import { expandSchemas } from "./expand-schemas.ts"
import { labelOf, matchOperations } from "./match-operations.ts"
import { describeChange } from "./messages.ts"
import { createSameness, isSameData, type Sameness } from "./sameness.ts"
import { createSchemaPairs } from "./schema-pairs.ts"

/**
 * Returns what changed from one document to another: first for the whole document, then by operation in the order of the
 * new document, then the removed operations. Ignores references, `allOf`, names of components, order,
 * descriptions, and the spelling of a version. Callbacks and webhooks aren't compared.
 */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument): readonly Change[] {
  const sameness = createSameness()
  const pairs = createSchemaPairs(sameness)
  const collector = createCollector(pairs)
  compareDocumentAccess(collector, before, after)
  const { matched, added, removed } = matchOperations(before, after)
  const ids = { before: pathsById(removed), after: pathsById(added) }
  const isUnchanged = createUnchangedCheck(sameness, before, after)
  for (const [one, other] of matched) if (!isUnchanged(one, other)) compareOperation(collector, one, other)
  for (const operation of added)
    collector.report(wholeChange("operation-added", operation, ids.before.get(operation.operationId)))
  for (const operation of removed)
    collector.report(wholeChange("operation-removed", operation, ids.after.get(operation.operationId)))
  pairs.compareAll((pair) => compareSchemas(pairs, pair))
  return collector.items.flatMap((item) => ("pair" in item ? [...expandSchemas(item)] : [directChange(item)]))
}

/** Finds operations that are the same as written, which is faster than comparing what they mean. */
function createUnchangedCheck(
  sameness: Sameness,
  before: OpenApiDocument,
  after: OpenApiDocument,
): (before: Operation, after: Operation) => boolean {
  const isSameField = (name: string): boolean =>
    isSameData(member(before.root, name) ?? null, member(after.root, name) ?? null)
  const schemes = [before, after].map(
    (document) =>
      member(document.root, "securityDefinitions") ??
      objectMember(document.root, "components")?.["securitySchemes"],
  )
  // Each of these decides what the same operation means.
  const isComparable =
    before.version === after.version &&
    isSameData(schemes[0] ?? null, schemes[1] ?? null) &&
    ["servers", "consumes", "produces"].every(isSameField)
  if (!isComparable) return () => false
  return (one, other) =>
    one.path === other.path &&
    sameness.isSame(one, other, "operation") &&
    sharedFields.every((name) =>
      isSameShared(sameness, one.pathItem.inside(name), other.pathItem.inside(name)),
    )
}

/** The fields of a path that its operations share. */
const sharedFields = ["parameters", "servers"] as const

function isSameShared(sameness: Sameness, before: Part | undefined, after: Part | undefined): boolean {
  const [old, current] = [before?.items() ?? [], after?.items() ?? []]
  return (
    old.length === current.length &&
    old.every((part, index) => {
      const other = current[index]
      return other !== undefined && sameness.isSame(part, other, "parameter")
    })
  )
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

const directChange = ({ place, ...change }: DirectChange): Change => ({
  before: undefined,
  after: undefined,
  ...change,
  ...place,
  message: describeChange(change.kind, change.facts, place),
  isAt: (path: string) => path === place.path,
})
