// Problems with values that hold a secret: what is asked for, and not what came.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { withoutValue } from "../contract/describe-breach.ts"
import { valueAt } from "../json-pointer.ts"
import type { Complaint } from "./checked-request.ts"

/** Nor where in the value it is, for the value may have been taken apart. */
export function hideValues(problems: readonly Complaint[], path: string): readonly Complaint[] {
  const hidden = problems.map((problem) => ({ ...problem, path, message: withoutValue(problem.message) }))
  return [...new Map(hidden.map((problem) => [problem.message, problem])).values()]
}

/** A message quotes a value whole or not at all; `path` is the pointer of `value` in the request. */
export function hideSecrets(
  problems: readonly Complaint[],
  { value, path }: { readonly value: JsonValue; readonly path: string },
  isSecret: (text: string) => boolean,
): readonly Complaint[] {
  return problems.map((problem) => {
    const part = valueAt(value, problem.path.slice(path.length))
    if (part === undefined || !holdsSecret(part, isSecret)) return problem
    return { ...problem, message: withoutValue(problem.message) }
  })
}

/** Values with more parts are never quoted. */
const MAX_PARTS = 100

function holdsSecret(value: JsonValue, isSecret: (text: string) => boolean): boolean {
  const work: JsonValue[] = [value]
  let parts = 0
  for (let part = work.pop(); part !== undefined && parts < MAX_PARTS; part = work.pop()) {
    parts++
    if (isJsonArray(part)) work.push(...part.slice(0, MAX_PARTS))
    else if (isJsonObject(part)) work.push(...Object.values(part).slice(0, MAX_PARTS))
    else if (part !== null && isSecret(String(part))) return true
  }
  return false
}
