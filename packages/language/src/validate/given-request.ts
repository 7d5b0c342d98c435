// The part of a request that is known before a run.

import {
  checkHeader,
  isSameParameter,
  parseTemplateOnce,
  type JsonValue,
  type Params,
  type RequestBlock,
  type ValueType,
} from "@callsheet/format"
import type { Operation } from "@callsheet/openapi"
import type { CheckFile, Report } from "../names/scripts.ts"
import type { Target } from "../requests/target.ts"

export interface RequestCheck {
  readonly block: RequestBlock
  readonly target: Target
  /** True if the workflow expects a rejection. A missing value is then intended. */
  readonly isNegative: boolean
  readonly typeOf: (value: JsonValue) => ValueType
  readonly checkFile: CheckFile
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
  Object.entries(params?.[place] ?? {}).find(([key]) => isSameParameter(place, key, name))

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

/** Returns the headers that HTTP can't carry, whatever their placeholders contain. */
export const headerFindings = (params: Params | undefined) =>
  Object.entries(params?.header ?? {}).flatMap(([name, text]) => {
    const template = parseTemplateOnce(text)
    const literals = template.ok ? template.parts.filter((part) => typeof part === "string") : []
    // callsheet encodes a documented list or object itself, so its text isn't checked here.
    const finding = checkHeader(name, /^\s*[[{]/.test(text) ? "" : literals.join(""))
    if (finding === undefined) return []
    const isName = checkHeader(name, "") !== undefined
    return [{ pointer: ["params", "header", name], at: isName ? "key" : "value", finding } as const]
  })
