// Checks requests and responses against the contract. Loads the code for a check on first use.

import type { ContractProblem, ContractView, JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "./document/document.ts"
import { escapePointer } from "./document/located.ts"
import { partAt } from "./document/part.ts"
import type { PlaceFinder } from "./document/place-finder.ts"
import type { CheckRequest } from "./request/create-request-checker.ts"
import { type CheckedResponse, checkResponse, needsSchemas } from "./response/check-response.ts"
import { responseContract } from "./response/response-contract.ts"
import { schemasFolder } from "./schema/schema-graph.ts"
import { hideReceived, listProblems } from "./schema/validate/contract-problems.ts"
import type { SchemaChecker } from "./schema/validate/schema-checker.ts"

export interface ContractChecker {
  readonly check: (response: CheckedResponse) => Promise<ContractView>
  readonly checkRequest: CheckRequest
  /** Checks a value of a response against a schema of the document. Undefined if there is no schema with this name. */
  readonly checkSchema: (
    name: string,
    value: JsonValue,
    isSecret: (text: string) => boolean,
  ) => Promise<readonly ContractProblem[] | undefined>
}

export function createContractChecker(document: OpenApiDocument): ContractChecker {
  let finding: Promise<PlaceFinder> | undefined
  let checkRequest: CheckRequest | undefined
  let schemas: SchemaChecker | undefined
  const load = async (): Promise<void> => {
    const { createSchemaChecker } = await import("./schema/validate/schema-checker.ts")
    schemas ??= createSchemaChecker()
  }
  const places = () =>
    (finding ??= import("./document/place-finder.ts").then((loaded) => loaded.createPlaceFinder(document)))
  const loadCheck = async (): Promise<CheckRequest> => {
    const { createRequestChecker } = await import("./request/create-request-checker.ts")
    return (checkRequest ??= createRequestChecker(places))
  }
  return {
    check: async (response) => {
      const contract = responseContract(response.operation, response.status)
      if (schemas === undefined && needsSchemas(contract, response)) await load()
      const problems = checkResponse(contract, response, schemas)
      if (problems.length === 0) return passed
      const { isSecret } = response
      const reported = isSecret === undefined ? problems : hideReceived(problems, response, isSecret)
      return { status: "failed", problems: await listProblems(reported, await places()) }
    },
    checkSchema: async (name, value, isSecret) => {
      const schema = partAt(document, `${schemasFolder(document)}/${escapePointer(name)}`)
      if (schema === undefined) return undefined
      if (schemas === undefined) await load()
      const problems = schemas?.check(schema, [value], "/body") ?? []
      return hideReceived(problems, { headers: {}, body: value }, isSecret)
    },
    checkRequest: (request) =>
      checkRequest === undefined ? loadCheck().then((check) => check(request)) : checkRequest(request),
  }
}

const passed: ContractView = { status: "passed", problems: [] }
