// Says whether the answer to a probe is a finding.

import type { FindingKind } from "@callsheet/format"
import type { Operation } from "../document/operations.ts"
import { responseContract } from "../response/response-contract.ts"

export interface ProbeAnswer {
  readonly operation: Operation
  /** Undefined if the request breaks the contract in a way that nobody can confirm, which proves nothing. */
  readonly isValid: boolean | undefined
  /** Null if the connection broke before a status arrived. */
  readonly status: number | null
}

export function judgeAnswer({ operation, isValid, status }: ProbeAnswer): FindingKind | undefined {
  if (status === null || status >= 500) return "server-error"
  if (isValid === false && status < 400) return "accepted-invalid"
  if (isAnyServers(status) || (isValid !== true && status === 404)) return undefined
  return responseContract(operation, status).status === "undocumented" ? "undocumented-status" : undefined
}

/**
 * Returns whether a status comes from what is in front of any operation: credentials, size limits, content negotiation
 * and rate limits. Documents rarely list them for each operation.
 */
const isAnyServers = (status: number): boolean => [401, 403, 413, 414, 415, 429, 431].includes(status)
