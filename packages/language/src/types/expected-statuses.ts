// Which response statuses a workflow looks for, request by request: what tells a negative test from a mistake.

import {
  assertionsOf,
  parsePathOnce,
  parseTemplateOnce,
  walkBlocks,
  type Assertion,
  type Blocks,
} from "@callsheet/format"
import type { ExpectedStatuses } from "./response-type.ts"

interface Collected {
  readonly exact: Set<number>
  isOpen: boolean
}

const nothing: ExpectedStatuses = { exact: new Set(), isOpen: false }

/** The statuses that are looked for of each block, by its id as written. */
export function collectExpectedStatuses(blocks: Blocks): (rawId: string) => ExpectedStatuses {
  const byId = new Map<string, Collected>()
  for (const { block } of walkBlocks(blocks)) {
    for (const { assertion } of assertionsOf(block)) collect(assertion, byId)
  }
  return (rawId) => byId.get(rawId) ?? nothing
}

function collect({ source, operator, value }: Assertion, byId: Map<string, Collected>): void {
  const id = statusReader(source)
  if (id === undefined) return
  const known = byId.get(id) ?? { exact: new Set<number>(), isOpen: false }
  byId.set(id, known)
  if (operator === "equals" && typeof value === "number") known.exact.add(value)
  else if (operator !== "exists" && operator !== "hasValue") known.isOpen = true
}

/** The id as written where a path is the status of a response. */
function statusReader(source: string): string | undefined {
  const tail = ".response.status"
  if (source.endsWith(tail)) return source.slice(0, -tail.length)
  const template = parseTemplateOnce(source)
  const path = template.ok && !template.hasTokens ? parsePathOnce(source) : undefined
  if (path?.ok !== true) return undefined
  const [id, part, field] = path.segments
  return part === "response" && field === "status" ? id : undefined
}
