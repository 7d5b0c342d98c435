// Finds operations whose responses can never match: every documented one has a body whose schema includes itself.

import { bodyKindOf, listResponses, responseContent } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { type Circle, endlessCircle } from "../schema/find-circles.ts"
import { hasNoContent } from "./response-contract.ts"

/** Returns a circle of schemas. Undefined if some response may match. */
export function endlessContract(operation: Operation): Circle | undefined {
  let circle: Circle | undefined
  for (const { status, response } of listResponses(operation)) {
    const schemas = response && schemasOf(operation, status, response)
    if (schemas === undefined) return undefined
    for (const schema of schemas) {
      const found = endlessCircle(schema)
      if (found === undefined) return undefined
      circle ??= found
    }
  }
  return circle
}

/** Returns the schemas of a response, one of which its body must match. Undefined if none may decide. */
function schemasOf(operation: Operation, status: string, response: Part): readonly Part[] | undefined {
  if (hasNoContent(operation.method, Number(status))) return undefined
  const content = responseContent(operation, response)
  const schemas = content.flatMap(({ name, schema }) =>
    schema === undefined || name.includes("*") || bodyKindOf(name) !== "json" ? [] : [schema],
  )
  return schemas.length === 0 || schemas.length < content.length ? undefined : schemas
}
