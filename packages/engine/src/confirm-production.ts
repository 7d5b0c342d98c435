// Asks before a session sends anything to production, and refuses without a yes.

import {
  addCounts,
  countRequests,
  knownMethod,
  methodWords,
  requestWords,
  type RequestCount,
} from "@callsheet/language"
import {
  callsScripts,
  toProblem,
  type JsonValue,
  type Problem,
  type ResolvedEnvironment,
} from "@callsheet/format"
import type { Masker } from "./mask.ts"
import { messages } from "./messages.ts"
import type { PlannedPart } from "./part.ts"
import type { Plan } from "./plan.ts"
import type { ProductionBinding } from "./session-options.ts"
import { shownBaseUrl } from "./shown-base-url.ts"
import { wholeCommand, type Asked } from "./whole-command.ts"

/** A run before anything is sent. Without a plan, the run can't start. */
interface PlannedRun {
  readonly plan?: Plan
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
}

export async function confirmProduction<R extends PlannedRun>(
  runs: readonly R[],
  session: Asked,
  secrets: Pick<Masker, "url">,
): Promise<ReadonlyMap<R, Problem>> {
  const { confirm } = session.options
  const asking = runs
    .map((run) => [run, productionOf(run, secrets)] as const)
    .filter(([, some]) => some.length > 0)
  if (asking.length === 0 || confirm === true) return new Map()
  if ((await confirm?.(addUp(asking.flatMap(([, some]) => some)))) === true) return new Map()
  return new Map(asking.map(([run, bindings]) => [run, refusal(bindings, session)]))
}

function productionOf(
  { plan, environments, inputs }: PlannedRun,
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
        ...(counts.get(api) ?? addCounts([])),
      }
    })
}

/** Returns true if a single block may send requests to that API. Scripts may, because they can build any URL. */
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

const refusal = (bindings: readonly ProductionBinding[], session: Asked): Problem =>
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
