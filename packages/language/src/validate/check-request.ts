// What a request block sends, held against what its operation takes: path, parameters, body.

import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import { givenParam, type OperationCheck, type RequestCheck } from "./given-request.ts"
import { pathParams, unknownPathParams } from "../requests/path-params.ts"

/** Reports what the request of a block lacks, and what its operation does not know. */
export function checkRequest(check: RequestCheck): void {
  checkPathParams(check)
  const { target, document } = check
  if (target.operation === undefined || document === undefined) return
  const known: OperationCheck = { ...check, document, operation: target.operation }
  checkParameters(known)
  checkBody(known)
}

function checkPathParams({ block, target, report }: RequestCheck): void {
  for (const { name, finding } of unknownPathParams(block, target.path))
    report(["request", "overrides", "params", "path", name], "key", finding)
  for (const name of new Set(pathParams(target.path))) {
    const given = givenParam({ block, target }, "path", name)
    if (given !== undefined && given.text !== "") continue
    report(given?.isSaved === false ? given.pointer : ["request"], "value", {
      code: "path-param-missing",
      message: `the path ${target.path} needs a value for "${name}"`,
      hint: `give it in request.overrides.params.path.${name}`,
    })
  }
}
