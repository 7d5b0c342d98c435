// Compares the responses of two operations: statuses, headers and bodies.

import { escapePointer } from "../document/located.ts"
import { headerSchema, type ListedResponse, listResponses, responseContent } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { headersOf } from "./changed-operations.ts"
import type { Collector, Place } from "./collector.ts"
import { compareContent } from "./compare-content.ts"
import { labelOf } from "./match-operations.ts"

interface Operations {
  readonly before: Operation
  readonly after: Operation
}

export function compareResponses(collector: Collector, before: Operation, after: Operation): void {
  const old = listResponses(before)
  const current = listResponses(after)
  const operation = labelOf(after)
  for (const { status, response } of old) {
    const place = { operation, side: "response", path: "/status", status } as const
    const other = findStatus(current, status)
    if (other === undefined)
      collector.report({
        kind: "status-removed",
        facts: { status },
        breaks: "reads",
        place,
        before: response?.pointer,
      })
    else compareResponse(collector, { before, after }, [{ status, response }, other])
  }
  for (const { status, response } of current) {
    if (old.some((one) => one.status === status)) continue
    const place = { operation, side: "response", path: "/status", status } as const
    const covering = findStatus(old, status)
    collector.report({
      kind: "status-added",
      facts: { status, coveredBy: covering?.status },
      // A client has to expect errors that the document doesn't list.
      breaks: covering === undefined && !/^[45]/.test(status) && status !== "default" ? "reads" : undefined,
      place,
      after: response?.pointer,
    })
    if (covering !== undefined)
      compareResponse(collector, { before, after }, [
        { ...covering, status },
        { status, response },
      ])
  }
}

/**
 * Finds the response for a status: its own, that of its range, or the default. Beside a listed success, the default
 * describes errors.
 */
function findStatus(responses: readonly ListedResponse[], status: string): ListedResponse | undefined {
  const range = /^\d/.test(status) ? `${status[0]}XX` : status
  const isError = /^[45]/.test(status)
  const hasDefault = isError || !responses.some((one) => /^[123]/.test(one.status))
  return [status, range, ...(hasDefault ? ["default"] : [])]
    .map((key) => responses.find((one) => one.status === key))
    .find((found) => found !== undefined)
}

function compareResponse(
  collector: Collector,
  { before, after }: Operations,
  [old, current]: readonly [ListedResponse, ListedResponse],
): void {
  if (old.response === undefined || current.response === undefined) return
  const place = { operation: labelOf(after), side: "response", path: "/body", status: old.status } as const
  compareHeaders(collector, place, [old.response, current.response])
  compareContent(collector, {
    place,
    before: responseContent(before, old.response),
    after: responseContent(after, current.response),
  })
}

function compareHeaders(collector: Collector, response: Place, [before, after]: readonly [Part, Part]): void {
  const old = headersOf(before)
  const current = headersOf(after)
  for (const name of new Set([...old.keys(), ...current.keys()])) {
    // OpenAPI ignores this header: media types describe it.
    if (name === "content-type") continue
    const [one, other] = [old.get(name), current.get(name)]
    const place = { ...response, path: `/headers/${escapePointer(name)}` }
    const required = isRequired(other ?? one)
    const change = changeOfHeader(one, other)
    if (change !== undefined)
      collector.report({
        kind: "header-changed",
        facts: { name, what: change, required },
        breaks: change === "removed" || change === "optional" ? "reads" : undefined,
        place,
        before: one?.pointer,
        after: other?.pointer,
      })
    if (one !== undefined && other !== undefined)
      collector.compare({ place, before: schemasOf(one), after: schemasOf(other) })
  }
}

const isRequired = (header: Part | undefined): boolean => header?.member("required") === true

function changeOfHeader(before: Part | undefined, after: Part | undefined) {
  if (before === undefined) return "added"
  if (after === undefined) return "removed"
  if (isRequired(before) === isRequired(after)) return undefined
  return isRequired(after) ? "required" : "optional"
}

const schemasOf = (header: Part): readonly Part[] =>
  [headerSchema(header)].filter((part) => part !== undefined)
