// The problems of a request or response: what is wrong with a body as a whole, and all of them as a report lists them.

import { type ContractProblem, parseJson, type JsonValue } from "@callsheet/format"
import type { MediaType } from "../../document/content.ts"
import type { PlaceFinder } from "../../document/place-finder.ts"

/** Problems beyond this are only counted. */
export const MAX_PROBLEMS = 20

export async function listProblems(
  problems: readonly ContractProblem[],
  placeOf: PlaceFinder,
): Promise<readonly ContractProblem[]> {
  const shown: ContractProblem[] = []
  for (const { path, message, schema } of problems.slice(0, MAX_PROBLEMS)) {
    const place = schema === undefined ? undefined : await placeOf(schema)
    shown.push({ path, message, ...place })
  }
  const more = problems.length - MAX_PROBLEMS
  if (more > 0) shown.push({ path: "", message: `and ${more} more ${more === 1 ? "problem" : "problems"}` })
  return shown
}

/** `undefined`: there came no content type at all. */
export const otherMediaType = (documented: readonly MediaType[], contentType: string | undefined): string =>
  `expected ${documented.map(({ name }) => name).join(", ")}, came ${contentType ?? "no content type"}`

export function notJson(body: JsonValue): string {
  const parsed = typeof body === "string" ? parseJson(body) : undefined
  const offset = parsed === undefined || parsed.ok ? undefined : parsed.findings[0]?.offset
  return `expected JSON, came what is not JSON${offset === undefined ? "" : ` from character ${offset + 1} on`}`
}
