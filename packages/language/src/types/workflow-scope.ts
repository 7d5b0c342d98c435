// Connects a workflow to the documents and environments of its APIs, to resolve its names.

import {
  assertionsOf,
  type Blocks,
  getOrCreate,
  INBOX,
  parsePathOnce,
  parseTemplateOnce,
  type ReadableWorkflow,
  type RequestBlock,
  readableApis,
  walkBlocks,
} from "@callsheet/format"
import type { ApiSource, Targets } from "../requests/target.ts"
import { type ExpectedStatuses, knownResponse, type KnownResponse, unknownResponse } from "./response-type.ts"
import { StaticScope } from "./static-scope.ts"

interface WorkflowGround {
  readonly readable: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly targets: Targets
}

/** Creates the scope. Reads schemas on demand. */
export function createWorkflowScope({ readable, apis, targets }: WorkflowGround) {
  const expected = collectExpectedStatuses(readable.workflow.blocks)
  const responseOf = (block: RequestBlock): KnownResponse => {
    const operation = targets.get(block)?.target.operation
    return operation === undefined ? unknownResponse : knownResponse(operation, expected(block.id))
  }
  const variables = variablesOf(readable, apis)
  const scope = new StaticScope({ readable, variables, responseOf })
  return { scope, expected, responseOf, variables }
}

/** Returns the declared variables of each API that the workflow uses. Undefined for an unreadable schema. */
function variablesOf({ workflow }: ReadableWorkflow, apis: ReadonlyMap<string, ApiSource>) {
  return new Map(
    readableApis(workflow.blocks, apis.get(INBOX)?.api).map((name) => {
      const environments = apis.get(name)?.api.environments
      const declared = environments?.declared
      if (declared === undefined) return [name, undefined]
      return [name, new Map([...declared].map((each) => [each, environments?.variables.get(each)?.type]))]
    }),
  )
}

/**
 * Returns a function that finds the statuses that the workflow expects from a block, given the block's id as written.
 */
export function collectExpectedStatuses(blocks: Blocks): (rawId: string) => ExpectedStatuses {
  const byId = new Map<string, { readonly exact: Set<number>; isOpen: boolean }>()
  const nothing = () => ({ exact: new Set<number>(), isOpen: false })
  for (const { block } of walkBlocks(blocks))
    for (const { assertion } of assertionsOf(block)) {
      const { source, operator, value } = assertion
      const id = statusReader(source)
      if (id === undefined) continue
      const known = getOrCreate(byId, id, nothing)
      if (operator === "equals" && typeof value === "number") known.exact.add(value)
      else if (operator !== "exists" && operator !== "hasValue") known.isOpen = true
    }
  return (rawId) => byId.get(rawId) ?? nothing()
}

function statusReader(source: string): string | undefined {
  const tail = ".response.status"
  if (source.endsWith(tail)) return source.slice(0, -tail.length)
  const template = parseTemplateOnce(source)
  const path = template.ok && !template.hasTokens ? parsePathOnce(source) : undefined
  if (path?.ok !== true) return undefined
  const [id, part, field] = path.segments
  return part === "response" && field === "status" ? id : undefined
}
