// Finds which requests pass variables to which later ones.

import { getOrCreate, stringifyJson } from "@callsheet/format"
import type { Script } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import { variablesOfScript } from "../scripts/script-variables.ts"
import { variablesReadBy, variablesSetBy } from "../scripts/steps.ts"
import { variablesIn } from "../text.ts"
import type { FlatRequest } from "./flatten.ts"

interface Use {
  readonly is: "read" | "set"
  readonly variable: string
  /** False for a value that may be missing, so that an earlier one stays. */
  readonly isCertain: boolean
}

/** A variable that one request sets and a later one reads. */
export interface Flow {
  readonly variable: string
  readonly from: FlatRequest
  readonly to: FlatRequest
}

/** Returns the flows between requests, which are in the order of a run. */
export function findFlows(requests: readonly FlatRequest[]): readonly Flow[] {
  // Most collections set nothing, and reading all their texts takes long.
  if (!requests.some(({ request: { steps = [] }, scripts }) => steps.length > 0 || scripts.length > 0))
    return []
  const flows: Flow[] = []
  /** The requests whose value a variable may have. */
  const setters = new Map<string, FlatRequest[]>()
  for (const to of requests)
    for (const { is, variable, isCertain } of usesOf(to)) {
      const earlier = getOrCreate(setters, variable, () => [])
      if (is === "set") setters.set(variable, isCertain ? [to] : [...earlier, to].slice(-MAX_SETTERS))
      else
        for (const [at, from] of earlier.entries()) {
          const next = earlier[at + 1]
          flows.push({ variable, from, to })
          // A request that only sometimes sets a variable hands on its earlier value.
          if (next !== undefined) flows.push({ variable, from, to: next })
        }
    }
  return flows.filter(({ from, to }) => from !== to)
}

/** Limits the requests that may have set a variable, because each of them is compared with each one that reads it. */
const MAX_SETTERS = 20

/** Returns what a request and its scripts read and set, in the order of a run. */
function usesOf({ request, auth, scripts }: FlatRequest): readonly Use[] {
  const usesIn = (when: Script["when"]): readonly Use[] =>
    scripts
      .filter((script) => script.when === when)
      .flatMap((script) => usesOfScript(script, request.scripts.includes(script)))
  const { url, headers, body, steps = [] } = request
  const read = new Set(variablesIn(stringifyJson({ url, headers, body, auth })))
  const own = steps.flatMap((step): readonly Use[] =>
    step.is === "set"
      ? [{ is: "set", variable: step.variable, isCertain: true }]
      : variablesReadBy([step]).map(readOf),
  )
  return [...usesIn("before"), ...[...read].map(readOf), ...own, ...usesIn("after")]
}

const readOf = (variable: string): Use => ({ is: "read", variable, isCertain: true })

/**
 * Returns what the code reads and sets, and what its translation does beyond that, because it knows the values of
 * constants. A script of a folder that can't be converted runs for each request, so that what it sets connects none of
 * them. Each one has its own value.
 */
function usesOfScript(script: Script, isOwn: boolean): readonly Use[] {
  const { steps } = convertScript(script)
  const setBySteps = new Set(variablesSetBy(steps))
  const found = variablesOfScript(script).filter(
    ({ is, variable }) => is === "read" || isOwn || setBySteps.has(variable),
  )
  const known = new Set(found.map(({ is, variable }) => `${is} ${variable}`))
  const read = [...new Set(variablesReadBy(steps))].filter((variable) => !known.has(`read ${variable}`))
  const set = [...setBySteps].filter((variable) => !known.has(`set ${variable}`))
  return [
    ...read.map(readOf),
    ...found,
    ...set.map((variable) => ({ is: "set", variable, isCertain: false }) as const),
  ]
}
