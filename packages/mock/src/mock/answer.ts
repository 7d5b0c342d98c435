// An answer of a mock, and the answers that refuse a request.

import { STATUS_CODES } from "node:http"
import {
  stringifyJson,
  type ContractProblem,
  type ContractView,
  type Finding,
  type Headers,
  type JsonValue,
} from "@callsheet/format"
import type { Operation } from "@callsheet/openapi"

export type RefusalCode = "mock-refused" | "mock-unrecorded"

interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly problems: readonly ContractProblem[]
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The body as a report shows it. */
  readonly body: JsonValue | undefined
  readonly operation?: Operation | undefined
  /** The verdict of the document on the answer. Absent if the mock refused the request. */
  readonly contract?: ContractView | undefined
  /** The problems of a request that is answered all the same, as by a record. */
  readonly tolerated?: readonly ContractProblem[] | undefined
  readonly refusal?: Refusal | undefined
}

export interface RefusalFacts {
  readonly status: number
  readonly finding: Finding<RefusalCode>
  readonly problems?: readonly ContractProblem[]
  readonly headers?: Headers
  readonly operation?: Operation | undefined
}

interface PlainFacts {
  readonly status: number
  readonly detail: string
  readonly operation?: Operation | undefined
}

/** Answers a valid request with a problem (RFC 9457) that the document doesn't describe. */
export function plainAnswer({ status, detail, operation }: PlainFacts): Answer {
  const body = { title: STATUS_CODES[status] ?? "", status, detail }
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    bytes: Buffer.from(stringifyJson(body)),
    body,
    operation,
  }
}

/** Refuses a request with a problem (RFC 9457). */
export function refuse({ status, finding, problems = [], headers = {}, operation }: RefusalFacts): Answer {
  const { code, message } = finding
  const body = {
    title: STATUS_CODES[status] ?? "",
    status,
    code,
    detail: message,
    errors: problems.map(({ path, message: text, schema, file, line }) => ({
      path,
      message: text,
      ...(schema === undefined ? {} : { schema }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    })),
  }
  return {
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
    bytes: Buffer.from(stringifyJson(body)),
    body,
    operation,
    refusal: { code, message, problems },
  }
}
