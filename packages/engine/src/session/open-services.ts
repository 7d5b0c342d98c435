// Opens the services of a run: the inbox, and mocks. Loaded only by runs that need one.

import {
  CallsheetError,
  hasResponse,
  stringifyJson,
  toProblem,
  walkBlocks,
  type BoundService,
  type Listener,
  type Problem,
  type ResolvedEnvironment,
  type ResolvedVariable,
} from "@callsheet/format"
import { findTarget } from "@callsheet/language"
import { schemeVariable, securitySchemesOf, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { Outlet } from "../outlet/outlet.ts"
import type { PlannedEntry } from "../plan/plan-entries.ts"
import { captureMessage } from "../outlet/capture.ts"
import type { Plan, PlannedApi } from "../plan/plan.ts"
import type { MessageSender, OpenInbox, OpenService, Ports, ServiceOrder } from "../ports.ts"
import type { Bugs } from "./bugs.ts"
import type { SessionOptions } from "./session-options.ts"

interface ServiceWorld {
  readonly ports: Ports
  readonly options: SessionOptions
  readonly outlet: Outlet
  readonly bugs: Bugs
  /** The services of other runs, which this one uses, too. */
  readonly shared: Services
}

/** Open services by what they are, with their settings. */
export type Services = ReadonlyMap<string, OpenService>

export interface OpenedServices {
  /** The entry with the addresses of its services, or without a plan if one can't be opened. */
  readonly planned: PlannedEntry
  readonly services: Services
  readonly inbox?: RunInbox | undefined
  /** Closes the services that no other run has opened. */
  readonly close: () => Promise<void>
}

export interface RunInbox extends Pick<OpenInbox, "onExchange" | "arrived"> {
  /** Emits the messages that arrive from now on, if a listener reads them. Returns how to stop. */
  readonly watch: (run: number, emit: Listener) => (() => Promise<void>) | undefined
}

export async function openServices(planned: PlannedEntry, world: ServiceWorld): Promise<OpenedServices> {
  const { ports, outlet, shared } = world
  const services = new Map<string, OpenService>()
  const close = async (): Promise<void> => {
    const own = [...services].filter(([key]) => !shared.has(key))
    await Promise.all(own.map(([, service]) => service.close()))
  }
  const { plan } = planned
  if (plan === undefined) return { planned, services, close }
  const environments = new Map(planned.environments)
  for (const [api, environment] of environments) {
    if (environment.service === undefined) continue
    const order = orderOf(environment.service.is, { api, planned, world })
    const key = stringifyJson([order.is, api, order.mock.settings])
    const opened = shared.get(key) ?? (await openOne(order, ports))
    if ("code" in opened) return { planned: refused(planned, opened), services, close }
    services.set(key, opened)
    if (opened.inbox !== undefined) outlet.keepSecret(opened.inbox.secret, `the path of ${api}`)
    environments.set(api, bindTo(environment, opened, plan.apis.get(api)?.document))
  }
  // A plan of its own, because runs with the same plan share the requests that they have built.
  const own = { ...plan, environments }
  const found = [...services.values()].find(({ inbox }) => inbox !== undefined)?.inbox
  const inbox = found && inboxOf(found, own, outlet)
  return { planned: { ...planned, environments, plan: own }, services, inbox, close }
}

const inboxOf = (
  { onExchange, arrived, watch }: OpenInbox,
  plan: Plan,
  { keepSecret }: Outlet,
): RunInbox => ({
  onExchange,
  arrived,
  watch: (run, emit) =>
    plan.settings.exchanges
      ? watch((message) => {
          const { body } = message
          captureMessage({ plan, run, emit, keepSecret, warned: new Set() }, { ...message, body })
          emit({ type: "message.received", run, message })
        })
      : undefined,
})

/** Returns the service, or the problem that keeps it from starting. */
async function openOne(order: ServiceOrder, { services }: Ports): Promise<OpenService | Problem> {
  const says = messages["service-unavailable"]
  const { is, api, mock } = order
  if (services === undefined) return toProblem(says.unsupported(is))
  if (is === "mock" && mock.document === undefined && mock.settings.from === undefined)
    return toProblem(says.noDocument(api))
  try {
    return await services.open(order)
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    return toProblem(says.refused(order.is, error.message))
  }
}

interface ServiceUse {
  readonly api: string
  readonly planned: PlannedEntry
  readonly world: ServiceWorld
}

const orderOf = (is: BoundService["is"], { api, planned, world }: ServiceUse): ServiceOrder => ({
  api,
  is,
  inbox: {
    port: world.options.inboxPort,
    url: world.options.inboxUrl,
    senders: is === "inbox" ? sendersOf(planned) : [],
  },
  mock: {
    document: planned.plan?.apis.get(api)?.document,
    settings: planned.entry.mocks.find((mock) => mock.api === api) ?? { api },
  },
  isSecret: world.outlet.secrets.occursIn,
  onBug: (error) => void world.bugs.note(error),
})

/** Returns the APIs that may send messages, with the operations that the workflow calls. */
function sendersOf({ plan }: PlannedEntry): readonly MessageSender[] {
  if (plan === undefined) return []
  const called = new Map<PlannedApi, Set<Operation>>()
  for (const { block } of walkBlocks(plan.workflow.blocks)) {
    const api = hasResponse(block) ? plan.apis.get(block.request.api) : undefined
    if (api === undefined || !hasResponse(block)) continue
    const found = findTarget(api, block.request, (text) => text)
    const operations = called.get(api) ?? new Set()
    called.set(api, operations)
    if (found.found && found.target.operation !== undefined) operations.add(found.target.operation)
  }
  return [...called].flatMap(([{ api, document }, operations]) =>
    document === undefined || api.environments.service !== undefined
      ? []
      : { document, operations: [...operations] },
  )
}

/** Binds an API to its service. The variable has the address for others. */
function bindTo(
  environment: ResolvedEnvironment,
  { baseUrl, address }: OpenService,
  document: OpenApiDocument | undefined,
): ResolvedEnvironment {
  const { service, variables } = environment
  const isMock = service?.is === "mock" && document !== undefined
  const set = [
    valueOf("baseUrl", baseUrl, variables.get("baseUrl")),
    ...(isMock ? credentialsOf(document, variables) : []),
  ]
  return {
    ...environment,
    variables: new Map([...variables, ...set.map((variable) => [variable.name, variable] as const)]),
    ...(service === undefined ? {} : { service: { ...service, address } }),
  }
}

/** Returns a value for each security scheme without one, because a mock accepts any. */
const credentialsOf = (
  document: OpenApiDocument,
  variables: ResolvedEnvironment["variables"],
): readonly ResolvedVariable[] =>
  securitySchemesOf(document).flatMap(({ name, kind }) => {
    const known = variables.get(schemeVariable(name))
    if (known?.value !== undefined && known.from !== "none") return []
    return valueOf(schemeVariable(name), kind === "basic" ? "mock:mock" : "mock", known)
  })

const valueOf = (name: string, value: string, known: ResolvedVariable | undefined): ResolvedVariable => ({
  name,
  declaration: known?.declaration ?? { type: "string", required: false },
  value,
  from: name === "baseUrl" ? "override" : "none",
})

function refused({ plan: _, ...planned }: PlannedEntry, problem: Problem): PlannedEntry {
  return { ...planned, problems: [...planned.problems, problem] }
}
