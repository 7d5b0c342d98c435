// For tests: checks a response against an operation that documents only one.

import type { ContractView, JsonObject, JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import type { CheckedResponse } from "../response/check-response.ts"
import { operationOf, type Version } from "./document-of.ts"

export interface Contract {
  readonly version?: Version
  readonly as?: "json" | "yaml"
  /** The schema of the 200 response's JSON body. */
  readonly schema?: JsonValue
  /** The responses that replace the default one. */
  readonly responses?: JsonObject
  readonly components?: JsonObject
}

export async function judge(
  { version = "3.0", as = "json", schema = {}, responses, components = {} }: Contract,
  response: Partial<CheckedResponse>,
): Promise<ContractView> {
  const usual = { "200": { description: "", content: { "application/json": { schema } } } }
  const place = { version, as, path: "/items", components }
  const { document, operation } = await operationOf({ responses: responses ?? usual }, place)
  return createContractChecker(document).check({
    operation,
    method: "GET",
    status: 200,
    headers: { "content-type": "application/json" },
    isWellFormed: true,
    ...response,
  })
}

/** Formats each problem as `path: message`. */
export const complaints = async (
  contract: Contract,
  response: Partial<CheckedResponse>,
): Promise<readonly string[]> =>
  (await judge(contract, response)).problems.map(({ path, message }) => `${path}: ${message}`)

export const complaintsOfBody = (contract: Contract, body: JsonValue): Promise<readonly string[]> =>
  complaints(contract, { body })
