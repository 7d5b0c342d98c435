// Compares two versions of one operation.

import { requestBodyOf } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Collector } from "./collector.ts"
import { compareOperationAccess } from "./compare-access.ts"
import { compareContent } from "./compare-content.ts"
import { compareParameters } from "./compare-parameters.ts"
import { compareResponses } from "./compare-responses.ts"
import { labelOf } from "./match-operations.ts"

export function compareOperation(collector: Collector, before: Operation, after: Operation): void {
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
