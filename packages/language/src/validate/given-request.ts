// The known part of a request that a block sends.

import type { JsonValue, Params, RequestBlock, ValueType } from "@callsheet/format"
import type { Operation } from "@callsheet/openapi"
import type { Report } from "../names/scripts.ts"
import type { Target } from "../requests/target.ts"

export interface RequestCheck {
  readonly block: RequestBlock
  readonly target: Target
  /** True if the workflow expects the API to reject the request, so that a missing value is intended. */
  readonly isNegative: boolean
  readonly typeOf: (value: JsonValue) => ValueType
  /** Reports a finding. `pointer` is relative to the block. */
  readonly report: Report
  readonly reportSaved: Report
}

export interface OperationCheck extends RequestCheck {
  readonly operation: Operation
}

export type GivenParam = NonNullable<ReturnType<typeof givenParam>>

/** Finds a parameter by name. Header names are case-insensitive. */
export const findParam = (params: Params | undefined, place: keyof Params, name: string) =>
  Object.entries(params?.[place] ?? {}).find(([key]) =>
    place === "header" ? key.toLowerCase() === name.toLowerCase() : key === name,
  )

export function givenParam(
  { block, target }: Pick<RequestCheck, "block" | "target">,
  place: keyof Params,
  name: string,
) {
  const own = findParam(block.request.overrides?.params, place, name)
  if (own !== undefined)
    return { text: own[1], pointer: ["request", "overrides", "params", place, own[0]], isSaved: false }
  const saved = findParam(target.instance?.params, place, name)
  return saved && { text: saved[1], pointer: ["params", place, saved[0]], isSaved: true }
}
