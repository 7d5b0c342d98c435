// Requests against the operations of a document. What an operation asks is read when its first request goes out, and kept.

import type { OpenApiDocument } from "../document/document.ts"
import { memo } from "../document/memo.ts"
import type { Operation } from "../document/operations.ts"
import type { PlaceFinder } from "../document/place-finder.ts"
import type { PatternEngine } from "../schema/validate/validator.ts"
import { type BodyCheck, checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import type { CheckedRequest, Complaint } from "./checked-request.ts"
import { type Judge, judgeBy } from "./judge.ts"
import { readOperationContract } from "./operation-contract.ts"
import { createVerdict, type RequestVerdict } from "./request-verdict.ts"

export interface RequestChecker {
  /** What a request breaks; undefined where that is nothing. A promise only where something has to be loaded or told. */
  readonly check: (
    request: CheckedRequest,
  ) => RequestVerdict | undefined | Promise<RequestVerdict | undefined>
}

export interface RequestCheckerOptions {
  readonly patterns: PatternEngine | undefined
  readonly places: () => Promise<PlaceFinder>
}

export function createRequestChecker(
  document: OpenApiDocument,
  { patterns, places }: RequestCheckerOptions,
): RequestChecker {
  const contractOf = memo((operation: Operation) => readOperationContract(document, operation))
  let judge: Judge | undefined
  const load = async (): Promise<Judge> => {
    const { createSchemaChecker } = await import("../schema/validate/schema-checker.ts")
    return (judge ??= judgeBy(createSchemaChecker(document, patterns, "request")))
  }
  const told = (found: readonly Complaint[]) => (found.length === 0 ? undefined : tell(found, places))
  return {
    check: (request) => {
      const contract = contractOf(request.operation)
      const checkBy = (by: Judge) => findComplaints({ document, request, contract, judge: by })
      if (judge !== undefined) return told(checkBy(judge))
      let isNeeded = false
      const found = checkBy(() => {
        isNeeded = true
        return []
      })
      return isNeeded ? load().then((loaded) => told(checkBy(loaded))) : told(found)
    },
  }
}

function findComplaints(check: BodyCheck): readonly Complaint[] {
  const ofParameters = checkParameters(check)
  const ofBody = checkBody(check)
  if (ofBody.length === 0) return ofParameters
  return ofParameters.length === 0 ? ofBody : [...ofParameters, ...ofBody]
}

const tell = async (
  complaints: readonly Complaint[],
  places: RequestCheckerOptions["places"],
): Promise<RequestVerdict> => createVerdict(complaints, await places())
