// For tests: checks a request to one operation.

import type { ContractProblem, Headers, JsonObject, JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import type { CheckedRequest } from "../request/checked-request.ts"
import { operationOf, type Version } from "./document-of.ts"

export interface AskedOperation {
  readonly version?: Version
  readonly path?: string
  readonly parameters?: readonly JsonValue[]
  readonly requestBody?: JsonObject
  readonly components?: JsonObject
  /** Members to add to the operation, or to replace in it. */
  readonly operation?: JsonObject
}

export interface SentRequest extends Partial<CheckedRequest> {
  /** The URL after the host. By default, `queryNames` are the names in its query. */
  readonly to?: string
  readonly json?: JsonValue
  /** The headers that were actually sent, including defaults and cookies. */
  readonly sent?: Headers
}

export async function warnings(
  { version = "3.1", path = "/items", parameters, requestBody, components = {}, ...asked }: AskedOperation,
  { to = path, json, sent = {}, ...request }: SentRequest,
): Promise<readonly ContractProblem[]> {
  const post = {
    responses: {},
    ...(parameters === undefined ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...asked.operation,
  }
  const { document, operation } = await operationOf(post, { version, path, method: "post", components })
  const names = new Set(new URLSearchParams(to.split("?")[1] ?? "").keys())
  const verdict = await createContractChecker(document).checkRequest({
    operation,
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

/** Formats each problem as `path: message`. */
export const warningTexts = async (asked: AskedOperation, request: SentRequest): Promise<readonly string[]> =>
  (await warnings(asked, request)).map(({ path, message }) => `${path}: ${message}`)
