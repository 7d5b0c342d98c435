// Valid and invalid responses, checked one by one, with ajv as the second opinion on each body.

import type { ContractView } from "@callsheet/format"
import { createChance } from "../chance.ts"
import type { Raw } from "../raw-document.ts"
import type { DocumentedResponse } from "./documented-responses.ts"
import { makeResponses, type MadeResponse, type ResponseMaker } from "./make-response.ts"
import { mutateResponse, type Mutant } from "./mutate-response.ts"
import { createSecondOpinion } from "./second-opinion.ts"

export interface Tally {
  readonly good: number
  readonly mutants: number
  readonly bad: number
  /** The number of mutants whose exact position was reported. */
  readonly exact: number
  readonly kinds: ReadonlyMap<string, number>
  /** Valid responses that were rejected, mutants that were not, and problems reported only at other positions. */
  readonly alarms: readonly string[]
  readonly missed: readonly string[]
  readonly misplaced: readonly string[]
  /** Schemas without a generated value that ajv accepts. */
  readonly unmade: readonly string[]
}

export type Check = (documented: DocumentedResponse, response: MadeResponse) => Promise<ContractView>

interface Trying {
  readonly maker: ResponseMaker
  readonly check: Check
  readonly tally: Writable
}

type Writable = ReturnType<typeof emptyTally>

const emptyTally = () => ({
  good: 0,
  mutants: 0,
  bad: 0,
  exact: 0,
  kinds: new Map<string, number>(),
  alarms: [] as string[],
  missed: [] as string[],
  misplaced: [] as string[],
  unmade: [] as string[],
})

export async function tryResponses(
  { root, seed }: { readonly root: Raw; readonly seed: number },
  tried: readonly DocumentedResponse[],
  check: Check,
): Promise<Tally> {
  const maker = { root, opinion: createSecondOpinion(root), chance: createChance(seed) }
  const tally = emptyTally()
  for (const documented of tried) await tryResponse({ maker, check, tally }, documented)
  return tally
}

async function tryResponse(trying: Trying, documented: DocumentedResponse): Promise<void> {
  const { maker, check, tally } = trying
  const { made, finding } = makeResponses(maker, documented)
  const name = nameOf(documented)
  if (finding !== undefined) tally.unmade.push(`${name}: ${finding}`)
  for (const response of made) {
    const view = await check(documented, response)
    // An unchecked body isn't a false alarm.
    if (view.status === "passed" || view.status === "unchecked") tally.good++
    else tally.alarms.push(`${name}: ${show(view)}${shown(response)}`)
  }
  const [response] = made
  if (response === undefined) return
  for (const mutant of mutateResponse(maker, { documented, response, kinds: tally.kinds }))
    judge(tally, { name, mutant, view: await check(documented, mutant.response) })
}

interface Verdict {
  readonly name: string
  readonly mutant: Mutant
  readonly view: ContractView
}

function judge(tally: Writable, { name, mutant, view }: Verdict): void {
  const line = `${name} ${mutant.kind} ${mutant.at}`
  tally.mutants++
  if (view.status !== "failed") {
    tally.missed.push(`${line}${shown(mutant.response)}`)
    return
  }
  tally.bad++
  if (view.problems.some(({ path }) => path === mutant.at)) tally.exact++
  else if (!isPlaced(view, mutant)) tally.misplaced.push(`${line}: ${show(view)}${shown(mutant.response)}`)
}

/** A problem was reported at the container of the wrong value or at a part of it. A missing value has no parts. */
const isPlaced = ({ problems }: ContractView, { at }: Mutant): boolean =>
  problems.some(({ path }) => path !== "" && (at.startsWith(`${path}/`) || path.startsWith(`${at}/`)))

const nameOf = ({ operation: { method, path }, status, mediaType }: DocumentedResponse): string =>
  `${method} ${path} ${status} ${mediaType}`

const show = ({ problems }: ContractView): string =>
  problems
    .slice(0, 4)
    .map(({ path, message, schema, line }) => `${path}: ${message} (${schema}:${line})`)
    .join("; ")

const shown = (response: MadeResponse): string => `\n      of ${JSON.stringify(response).slice(0, 600)}`
