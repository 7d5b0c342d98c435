// One request that differs from a valid one in a single value, and what a contract says about it.

import type { JsonValue, SavedRequest } from "@callsheet/format"

/** The parts of a request that a probe changes. Strings may be templates. */
export type ProbedRequest = Pick<SavedRequest, "params" | "body" | "bodyType">

export interface ProbeCase {
  /** Where the value is: `query.limit`, `header.X-Tenant` or `body.lines.0.sku`. */
  readonly parameter: string
  /** The value that is sent, or null for one that is left out. */
  readonly value: JsonValue
  readonly isValid: boolean
  /** What the value tests, such as `maxLength` or `required`. */
  readonly rule: string
  readonly request: ProbedRequest
}

/** A value at a border of its schema, or beyond it. */
export interface Boundary {
  readonly value: JsonValue
  readonly rule: string
  readonly isValid: boolean
}
