// Checks requests and responses against the contract. Loads the code for a check on first use.

import type { ContractProblem, ContractView, JsonValue } from "@callsheet/format"
import { createJudge } from "./content/judge.ts"
import type { OpenApiDocument } from "./document/document.ts"
import { escapePointer } from "./document/located.ts"
import { partAt } from "./document/part.ts"
import type { PlaceFinder } from "./document/place-finder.ts"
import type { CheckRequest } from "./request/create-request-checker.ts"
import type { CheckedResponse } from "./response/check-response.ts"
import { schemasFolder } from "./schema/schema-graph.ts"

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
  const run = createJudge()
  const places = () =>
    (finding ??= import("./document/place-finder.ts").then((loaded) => loaded.createPlaceFinder(document)))
  const loadCheck = async (): Promise<CheckRequest> => {
    const { createRequestChecker } = await import("./request/create-request-checker.ts")
    return (checkRequest ??= createRequestChecker(places))
  }
  return {
    check: async (response) => {
      const { checkResponse } = await import("./response/check-response.ts")
      const { problems, unchecked } = await run((judge) => checkResponse(response, judge))
      const reason = unchecked === undefined ? {} : { unchecked }
      if (problems.length === 0)
        return unchecked === undefined ? passed : { status: "unchecked", problems, ...reason }
      const { hideHeaders, listProblems } = await import("./schema/validate/contract-problems.ts")
      const { headers, isSecret } = response
      const reported = isSecret === undefined ? problems : hideHeaders(problems, headers, isSecret)
      return { status: "failed", problems: await listProblems(reported, await places()), ...reason }
    },
    checkSchema: async (name, value, isSecret) => {
      const schema = partAt(document, `${schemasFolder(document)}/${escapePointer(name)}`)
      if (schema === undefined) return undefined
      const problems = await run((judge) => judge.check(schema, [value], "/body"))
      const { hideSecrets } = await import("./schema/validate/contract-problems.ts")
      return hideSecrets(problems, { value, path: "/body" }, isSecret)
    },
    checkRequest: (request) =>
      checkRequest === undefined ? loadCheck().then((check) => check(request)) : checkRequest(request),
  }
}

const passed: ContractView = { status: "passed", problems: [] }
