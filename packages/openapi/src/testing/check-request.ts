// For tests: one operation, and what is wrong with a request to it.

import type { ContractProblem, Headers, JsonObject, JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import { listOperations } from "../document/operations.ts"
import type { CheckedRequest } from "../request/checked-request.ts"
import { documentOf, type Version } from "./document-of.ts"

export interface AskedOperation {
  readonly version?: Version
  readonly path?: string
  readonly parameters?: readonly JsonValue[]
  readonly requestBody?: JsonObject
  readonly components?: JsonObject
  /** Beside or instead of those above. */
  readonly operation?: JsonObject
}

export interface SentRequest extends Partial<CheckedRequest> {
  /** What follows the host; `queryNames` are those in it where none are given. */
  readonly to?: string
  /** Written as JSON. */
  readonly json?: JsonValue
  /** As they went out, defaults and cookies included. */
  readonly sent?: Headers
}

/** The problems of a request to the operation `POST` of a path. */
export async function warnings(
  { version = "3.1", path = "/items", parameters, requestBody, components = {}, operation }: AskedOperation,
  { to = path, json, sent = {}, ...request }: SentRequest,
): Promise<readonly ContractProblem[]> {
  const post = {
    responses: {},
    ...(parameters === undefined ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...operation,
  }
  const document = await documentOf({ version, paths: { [path]: { post } }, components })
  const names = new Set(new URLSearchParams(to.split("?")[1] ?? "").keys())
  const verdict = await createContractChecker(document).checkRequest({
    operation: listOperations(document)[0]!,
    url: `https://shop.test/v1${to}`,
    headers: json === undefined ? [] : [["Content-Type", "application/json"]],
    cookies: {},
    queryNames: [...names],
    body:
      json === undefined
        ? undefined
        : { bytes: new TextEncoder().encode(JSON.stringify(json)), value: json, bodyType: undefined },
    isSecret: () => false,
    ...request,
  })
  return verdict?.problems(sent) ?? []
}

/** `path: message` of each. */
export const warningTexts = async (asked: AskedOperation, request: SentRequest): Promise<readonly string[]> =>
  (await warnings(asked, request)).map(({ path, message }) => `${path}: ${message}`)
