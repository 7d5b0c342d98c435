// Finds which requests pass variables to which later ones.

import { getOrCreate, stringifyJson } from "@callsheet/format"
import type { Script } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import { variablesOfScript } from "../scripts/script-variables.ts"
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
  const flows: Flow[] = []
  /** The requests whose value a variable may have. */
  const setters = new Map<string, FlatRequest[]>()
  for (const to of requests)
    for (const { is, variable, isCertain } of usesOf(to)) {
      const earlier = getOrCreate(setters, variable, () => [])
      if (is === "read") for (const from of earlier) flows.push({ variable, from, to })
      else setters.set(variable, isCertain ? [to] : [...earlier, to].slice(-MAX_SETTERS))
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
  const own = steps.flatMap((step): readonly Use[] => {
    if (step.is === "set") return [{ is: "set", variable: step.variable, isCertain: true }]
    const { variable, value } = step
    const values = value === undefined ? [] : variablesIn(stringifyJson(value))
    return [...(variable === undefined ? [] : [variable]), ...values].map(readOf)
  })
  return [...usesIn("before"), ...[...read].map(readOf), ...own, ...usesIn("after")]
}

const readOf = (variable: string): Use => ({ is: "read", variable, isCertain: true })

/**
 * A script of a folder that can't be converted runs for each request, so that what it sets connects none of them. Each
 * one has its own value.
 */
function usesOfScript(script: Script, isOwn: boolean): readonly Use[] {
  const converted = new Set(
    convertScript(script).steps.flatMap((step) => (step.is === "set" ? step.variable : [])),
  )
  return variablesOfScript(script).filter(
    ({ is, variable }) => is === "read" || isOwn || converted.has(variable),
  )
}
