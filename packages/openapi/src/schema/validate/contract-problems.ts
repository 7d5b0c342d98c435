// Builds the problems in a request or response, and hides secrets in them.

import {
  type ContractProblem,
  type Headers,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  ownOf,
  parseJson,
} from "@callsheet/format"
import type { MediaType } from "../../document/content.ts"
import { valueAt } from "../../document/located.ts"
import type { PlaceFinder } from "../../document/place-finder.ts"

export const MAX_PROBLEMS = 20

export async function listProblems(
  problems: readonly ContractProblem[],
  placeOf: PlaceFinder,
): Promise<readonly ContractProblem[]> {
  const shown: ContractProblem[] = []
  for (const problem of problems.slice(0, MAX_PROBLEMS)) shown.push(await placeProblem(problem, placeOf))
  const more = problems.length - MAX_PROBLEMS
  return more > 0 ? [...shown, moreProblems(more)] : shown
}

/** Returns the problem with the location of its schema in the document's files. */
export async function placeProblem(problem: ContractProblem, placeOf: PlaceFinder): Promise<ContractProblem> {
  const { path, message, schema, file } = problem
  if (file !== undefined) return problem
  const place = schema === undefined ? undefined : await placeOf(schema)
  return { path, message, ...place }
}

/** Returns what stands for the problems that aren't listed. */
export const moreProblems = (count: number): ContractProblem => ({
  path: "",
  message: `and ${count} more ${count === 1 ? "problem" : "problems"}`,
})

/** Formats the problem with an undocumented content type. */
export const otherMediaType = (documented: readonly MediaType[], contentType: string | undefined): string =>
  `expected ${documented.map(({ name }) => name).join(", ")}, received ${contentType ?? "no content type"}`

export function notJson(body: JsonValue): string {
  const parsed = typeof body === "string" ? parseJson(body) : undefined
  const offset = parsed === undefined || parsed.ok ? undefined : parsed.findings[0]?.offset
  return `invalid JSON${offset === undefined ? "" : ` at character ${offset + 1}`}`
}

/** Hides the values in problems, and the locations inside a value, because the value may have been split. */
export function hideValues<T extends ContractProblem>(problems: readonly T[], path: string): readonly T[] {
  return distinct(problems.map((problem) => hideValue(problem, path)))
}

const hideValue = <T extends ContractProblem>(problem: T, path: string): T => ({
  ...problem,
  path,
  message: withoutValue(problem.message),
})

/** Removes the received value from a message. `describeViolation` puts it last. */
function withoutValue(message: string): string {
  const from = message.indexOf(", received ")
  return from === -1 ? message : `${message.slice(0, from)}, received ***`
}

/** Removes duplicates: without values, the problems of several list items may be the same. */
const distinct = <T extends ContractProblem>(problems: readonly T[]): readonly T[] => [
  ...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values(),
]

/** Hides every value that contains a secret. `path` is the pointer of `value` in the request or response. */
export function hideSecrets<T extends ContractProblem>(
  problems: readonly T[],
  { value, path }: { readonly value: JsonValue; readonly path: string },
  isSecret: (text: string) => boolean,
): readonly T[] {
  return problems.map((problem) => {
    const part = valueAt(value, problem.path.slice(path.length))
    if (part === undefined || !holdsSecret(part, isSecret)) return problem
    return { ...problem, message: withoutValue(problem.message) }
  })
}

/** Hides the values of headers that contain a secret. */
export function hideHeaders(
  problems: readonly ContractProblem[],
  headers: Headers,
  isSecret: (text: string) => boolean,
): readonly ContractProblem[] {
  const hidden = problems.map((problem) => {
    const [, name] = /^\/headers\/([^/]+)/.exec(problem.path) ?? []
    const texts = name === undefined ? [] : headerTexts(headers, name.replaceAll("~0", "~"))
    return texts.some(isSecret) ? hideValue(problem, `/headers/${name}`) : problem
  })
  return distinct(hidden)
}

/** The maximum number of parts to search. Messages never quote a larger value. */
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

/** Returns a header's values: all of `set-cookie`, otherwise at most one. */
export function headerTexts(headers: Headers, name: string): readonly string[] {
  return [ownOf(headers, name.toLowerCase()) ?? []].flat()
}
