// Requests against the operations of a document. What an operation asks is read when its first request goes out, and kept.

import type { SchemaChecker } from "../contract/schema-checker.ts"
import type { PlaceFinder } from "../contract/place-finder.ts"
import type { PatternEngine } from "../contract/validator.ts"
import type { OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"
import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import type { CheckedRequest, Complaint } from "./checked-request.ts"
import { createVerdict, type RequestVerdict } from "./request-verdict.ts"
import { readOperationContract, type OperationContract } from "./operation-contract.ts"

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
  const contracts = new Map<Operation, OperationContract>()
  const contractOf = (operation: Operation): OperationContract => {
    let contract = contracts.get(operation)
    if (contract === undefined) {
      contract = readOperationContract(document, operation)
      contracts.set(operation, contract)
    }
    return contract
  }
  let schemas: SchemaChecker | undefined
  const load = async (): Promise<void> => {
    const { createSchemaChecker } = await import("../contract/schema-checker.ts")
    schemas ??= createSchemaChecker(document, patterns, "request")
  }
  return {
    check: (request) => {
      const contract = contractOf(request.operation)
      const judge = () => {
        const check = { document, request, contract, schemas }
        const complaints = [...checkParameters(check), ...checkBody(check)]
        return complaints.length === 0 ? undefined : tell(complaints, places)
      }
      return schemas === undefined && needsSchemas(request, contract) ? load().then(judge) : judge()
    },
  }
}

const tell = async (
  complaints: readonly Complaint[],
  places: RequestCheckerOptions["places"],
): Promise<RequestVerdict> => createVerdict(complaints, await places())

const needsSchemas = ({ body }: CheckedRequest, contract: OperationContract): boolean =>
  contract.judgesParameters ||
  (body !== undefined && contract.body?.content.some(({ schema }) => schema !== undefined) === true)
