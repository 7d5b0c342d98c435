// Checks requests and responses against the contract. Loads the code for a check on first use.

import { type ContractProblem, type ContractView, type JsonValue, once } from "@callsheet/format"
import type { OpenApiDocument } from "./document/document.ts"
import { escapePointer } from "./document/located.ts"
import { partAt } from "./document/part.ts"
import type { CheckRequest } from "./request/create-request-checker.ts"
import type { CheckedResponse } from "./response/check-response.ts"
import type { DistinctViolations } from "./response/distinct-violations.ts"
import { schemasFolder } from "./schema/schema-graph.ts"

export interface ContractChecker {
  /** `onViolations` receives all violations. The result lists only the first ones. */
  readonly check: (
    response: CheckedResponse,
    onViolations?: (found: DistinctViolations) => void,
  ) => Promise<ContractView>
  readonly checkRequest: CheckRequest
  /** Checks a value of a response against a schema of the document. Undefined if there is no schema with this name. */
  readonly checkSchema: (
    name: string,
    value: JsonValue,
    isSecret: (text: string) => boolean,
  ) => Promise<readonly ContractProblem[] | undefined>
}

export function createContractChecker(document: OpenApiDocument): ContractChecker {
  const places = once(async () => (await import("./document/place-finder.ts")).createPlaceFinder(document))
  const requestChecker = once(async () => {
    const { createRequestChecker } = await import("./request/create-request-checker.ts")
    return createRequestChecker(places)
  })
  const schemaChecker = once(async () => {
    const { createSchemaChecker } = await import("./schema/validate/schema-checker.ts")
    return {
      checkSchema: createSchemaChecker("response"),
      checkItem: createSchemaChecker("response", { readsContent: true }),
    }
  })
  return {
    check: async (response, onViolations) => {
      const { checkResponse } = await import("./response/check-response.ts")
      const { problems: own, unchecked } = await checkResponse(response, await schemaChecker())
      const problems = response.others === undefined ? own : [...own, ...response.others]
      const reason = unchecked === undefined ? {} : { unchecked }
      if (problems.length === 0)
        return unchecked === undefined ? passed : { status: "unchecked", problems, ...reason }
      const { hideHeaders, listProblems } = await import("./schema/validate/contract-problems.ts")
      const { headers, isSecret } = response
      const reported = isSecret === undefined ? problems : hideHeaders(problems, headers, isSecret)
      if (onViolations !== undefined) {
        const { distinctViolations } = await import("./response/distinct-violations.ts")
        onViolations(await distinctViolations(reported, response, await places()))
      }
      return { status: "failed", problems: await listProblems(reported, await places()), ...reason }
    },
    checkSchema: async (name, value, isSecret) => {
      const schema = partAt(document, `${schemasFolder(document)}/${escapePointer(name)}`)
      if (schema === undefined) return undefined
      const { checkSchema } = await schemaChecker()
      const problems = checkSchema(schema, [value], "/body")
      const { hideSecrets } = await import("./schema/validate/contract-problems.ts")
      return hideSecrets(problems, { value, path: "/body" }, isSecret)
    },
    checkRequest: async (request) => (await requestChecker())(request),
  }
}

const passed: ContractView = { status: "passed", problems: [] }
