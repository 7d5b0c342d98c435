// Asks the user before a session sends anything to production. Refuses if the answer isn't yes.

import {
  addCounts,
  countRequests,
  knownMethod,
  methodWords,
  multiplyCount,
  requestWords,
  type RequestCount,
} from "@callsheet/language"
import { callsScripts, toProblem, type Problem } from "@callsheet/format"
import type { Masker } from "../outlet/mask.ts"
import { messages } from "../messages.ts"
import type { PlannedPart } from "./part.ts"
import type { PlannedEntry } from "./plan-entries.ts"
import type { ProductionBinding } from "../session/session-options.ts"
import { shownBaseUrl } from "./shown-base-url.ts"
import { wholeCommand, type CommandRequest } from "./whole-command.ts"

export async function confirmProduction(
  entries: readonly PlannedEntry[],
  session: CommandRequest,
  secrets: Pick<Masker, "url">,
): Promise<ReadonlyMap<PlannedEntry, Problem>> {
  const { confirm, repeat = 1 } = session.options
  const rows = new Map(entries.map(({ entry, rowCount }) => [entry, rowCount ?? 1]))
  const asking = entries
    .map((item) => {
      const times = item.main === undefined ? 1 : repeat * (rows.get(item.main) ?? 1)
      return [item, productionOf(item, times, secrets)] as const
    })
    .filter(([, some]) => some.length > 0)
  if (asking.length === 0 || confirm === true) return new Map()
  const all = addUp(asking.flatMap(([, bindings]) => bindings))
  if ((await confirm?.(all)) === true) return new Map()
  // A suite is confirmed as a whole.
  const isSuite = session.schedule?.name !== undefined
  return new Map(asking.map(([item, bindings]) => [item, refusal(isSuite ? all : bindings, session)]))
}

function productionOf(
  { plan, environments, inputs }: PlannedEntry,
  times: number,
  secrets: Pick<Masker, "url">,
): readonly ProductionBinding[] {
  if (plan === undefined) return []
  const { part, apis } = plan
  const counts = countRequests({
    blocks: part.blocks,
    isOnce: (loop) => part.once.has(loop),
    inputs,
    methodOf: (block) => knownMethod(apis.get(block.request.api), block),
  })
  return [...environments.values()]
    .filter(({ api, level }) => level === "production" && mayReach(part, counts, api))
    .map((environment) => {
      const { api, name } = environment
      const { baseUrl } = shownBaseUrl(environment, apis.get(api)?.document)
      return {
        api,
        environment: name,
        ...(baseUrl === undefined ? {} : { baseUrl: secrets.url(baseUrl) }),
        ...multiplyCount(counts.get(api) ?? addCounts([]), times),
      }
    })
}

/** Returns whether a block may send requests to the API. A script may, because it can build any URL. */
const mayReach = (
  { blocks, isOnly }: PlannedPart,
  counts: ReadonlyMap<string, RequestCount>,
  api: string,
): boolean => !isOnly || counts.has(api) || callsScripts(blocks)

function addUp(bindings: readonly ProductionBinding[]): readonly ProductionBinding[] {
  const sums = new Map<string, ProductionBinding>()
  for (const binding of bindings) {
    const known = sums.get(nameOf(binding))
    sums.set(nameOf(binding), known === undefined ? binding : { ...known, ...addCounts([known, binding]) })
  }
  return [...sums.values()]
}

const nameOf = ({ api, environment }: ProductionBinding): string => `${api}=${environment}`

const refusal = (bindings: readonly ProductionBinding[], session: CommandRequest): Problem =>
  toProblem(
    messages["confirm-required"].production({
      bindings: bindings.map((binding) => ({
        api: binding.api,
        environment: binding.environment,
        requests: requestWords(binding),
        methods: methodWords(binding).map(({ text }) => text),
      })),
      wasAsked: session.options.confirm !== undefined,
      command: wholeCommand(session),
    }),
  )
