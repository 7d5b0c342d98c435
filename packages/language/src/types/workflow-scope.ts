// What the names of one workflow mean, by the documents and the environments of its APIs.

import { touchedApis, type ReadableWorkflow, type RequestBlock } from "@callsheet/format"
import type { Targets } from "../requests/request-target.ts"
import type { ApiSource } from "../requests/target.ts"
import { collectExpectedStatuses } from "./expected-statuses.ts"
import { knownResponse, unknownResponse, type ExpectedStatuses, type KnownResponse } from "./response-type.ts"
import { StaticScope, type ScopeSource } from "./static-scope.ts"

interface WorkflowGround {
  readonly readable: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
  /** What the request blocks send, as far as it is known. */
  readonly targets: Targets
}

export interface WorkflowScope {
  readonly scope: StaticScope
  /** The statuses that the workflow looks for, by the id of the block as written. */
  readonly expected: (rawId: string) => ExpectedStatuses
  readonly responseOf: (block: RequestBlock) => KnownResponse
  readonly variables: ScopeSource["variables"]
}

/** Reads no schema before somebody asks for it. */
export function createWorkflowScope({ readable, apis, targets }: WorkflowGround): WorkflowScope {
  const expected = collectExpectedStatuses(readable.workflow.blocks)
  const responseOf = (block: RequestBlock): KnownResponse => {
    const document = apis.get(block.request.api)?.document
    const operation = targets.get(block)?.target.operation
    if (document === undefined || operation === undefined) return unknownResponse
    return knownResponse(document, operation, expected(block.id))
  }
  const variables = variablesOf(readable, apis)
  const scope = new StaticScope({ readable, variables, responseOf })
  return { scope, expected, responseOf, variables }
}

/** The declared variables of each API that the workflow touches; of a schema that cannot be read nothing is known. */
function variablesOf(
  { workflow }: ReadableWorkflow,
  apis: ReadonlyMap<string, ApiSource>,
): ScopeSource["variables"] {
  return new Map(
    touchedApis(workflow.blocks).map((name) => {
      const environments = apis.get(name)?.api.environments
      const declared = environments?.declared
      if (declared === undefined) return [name, undefined]
      return [name, new Map([...declared].map((each) => [each, environments?.variables.get(each)?.type]))]
    }),
  )
}
