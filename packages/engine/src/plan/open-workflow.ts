// Builds the requests of a workflow as a run would, without sending them. Loaded only for exports.

import type { JsonValue, RequestBlock, RequestTarget, ResolvedEnvironment, Workflow } from "@callsheet/format"
import { createRunScope, findTarget } from "@callsheet/language"
import { schemeVariable, serverUrl } from "@callsheet/openapi"
import { buildRequest, type BuildOutcome } from "../request/build-request.ts"
import { checkWire } from "../request/check-wire.ts"
import { expandRequest, type ExpandedRequest } from "../request/expand-request.ts"
import { createRequestTemplate, type RequestTemplate } from "../request/request-template.ts"
import { dynamicValue } from "../run/dynamic-values.ts"
import { expandText, type Reader } from "../run/expand.ts"
import type { BlockOutcome } from "../run/failure.ts"
import { createMasker, type Masker } from "../outlet/mask.ts"
import type { Plan } from "./plan.ts"
import type { Ports, RequestAuth, WireRequest } from "../ports.ts"

export interface OpenedWorkflow {
  readonly workflow: Workflow
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly secrets: Masker
  /** The file of each API's OpenAPI document, relative to the project's root. */
  readonly documents: ReadonlyMap<string, string>
  /** The server of each API's OpenAPI document. */
  readonly servers: ReadonlyMap<string, string>
  readonly build: (block: RequestBlock, standIns: StandIns) => Promise<OpenedRequest>
  /** Generates a dynamic value. Undefined for other names. */
  readonly generate: (name: string) => JsonValue | undefined
}

/** The stand-ins for values that aren't filled in. */
interface StandIns {
  /** The environment of the block's API. */
  readonly environment: ResolvedEnvironment
  /** Returns the text that stands for a placeholder. Undefined to fill in its value. */
  readonly valueOf: (path: string) => string | undefined
  /** Returns the text that stands for the content of a file. */
  readonly contentOf: (path: string) => string
}

type OpenedRequest =
  | {
      readonly ok: true
      readonly wire: Pick<
        WireRequest,
        "method" | "url" | "headers" | "cookies" | "timeoutMs" | "followRedirects" | "verifyTls"
      >
      /** The bytes of the body as text. Files are replaced by their stand-ins. */
      readonly body: string | undefined
      /** The body before it was encoded. */
      readonly bodyValue: JsonValue | undefined
      readonly params: ExpandedRequest["params"]
      readonly operation:
        | { readonly name: string; readonly method: string; readonly path: string }
        | undefined
      /** How the run authorizes the request when it is sent, and the variable of the scheme. */
      readonly auth: { readonly kind: RequestAuth["kind"]; readonly variable: string } | undefined
    }
  | { readonly ok: false; readonly message: string }

interface WorkflowParts {
  readonly plan: Plan
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly secrets: Masker
}

export function describeWorkflow({ plan, inputs, secrets }: WorkflowParts, ports: Ports): OpenedWorkflow {
  const documents = [...plan.apis].flatMap(([name, { document }]) =>
    document === undefined ? [] : [[name, document.source.file] as const],
  )
  const servers = [...plan.apis].flatMap(([name, { document }]) => {
    const url = document && serverUrl(document)
    return url === undefined ? [] : [[name, url] as const]
  })
  return {
    workflow: plan.workflow,
    environments: plan.environments,
    inputs,
    secrets,
    documents: new Map(documents),
    servers: new Map(servers),
    build: (block, standIns) => build({ plan, inputs, ports, block, standIns }),
    generate: (name) => dynamicValue(name, ports, undefined),
  }
}

interface Building {
  readonly plan: Plan
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly ports: Ports
  readonly block: RequestBlock
  readonly standIns: StandIns
}

async function build(building: Building): Promise<OpenedRequest> {
  const { plan, inputs, ports, block, standIns } = building
  const { workflow, environments } = plan
  const api = plan.apis.get(block.request.api)
  const own = environments.get(block.request.api)
  if (api === undefined || own === undefined) throw new Error("a plan has every API")
  const scope = createRunScope({ inputs, environments, workflow, holdsSecret: () => false })
  const reader: Reader = { scope, api: block.request.api, dynamic: ports, standIn: standIns.valueOf }
  const names = expandNames(block.request, reader)
  const found = findTarget(api, names, (text) => expandOrKeep(text, reader))
  if (!found.found) return { ok: false, message: found.finding.message }
  const template = createRequestTemplate(block, api, found.target)
  const expanded = expandRequest({
    instance: template.target.instance,
    overrides: block.request.overrides,
    texts: template.texts,
    reader,
    secrets: createMasker([]),
    onCredential: () => undefined,
  })
  if (!expanded.ok) return refused(expanded.outcome)
  const buildWith = async (as: RequestTemplate, environment: ResolvedEnvironment): Promise<BuildOutcome> =>
    buildRequest({
      api,
      environment,
      template: as,
      request: expanded.request,
      settings: plan.settings,
      files: { ...ports.files, read: (path) => readStandIn(path, building) },
      random: ports.random,
      onCredential: () => undefined,
    })
  // The variables of an OAuth client are read only to learn that the run would request a token.
  const outcome = await buildWith({ ...template, usesAuth: false }, standIns.environment)
  if (!outcome.ok) return refused(outcome.outcome)
  const authorized = template.usesAuth ? await buildWith(template, own) : outcome
  const auth = authorized.ok ? authorized.built.auth : undefined
  const { wire } = outcome.built
  const fault = checkWire(wire)
  if (fault !== undefined) return { ok: false, message: fault.message }
  const { operation } = template.target
  return {
    ok: true,
    wire,
    body: wire.body && new TextDecoder("utf-8", { ignoreBOM: true }).decode(wire.body),
    bodyValue: expanded.request.body,
    params: expanded.request.params,
    operation: operation && { name: operation.name, method: operation.method, path: operation.path },
    auth: auth && { kind: auth.kind, variable: variableOfAuth(auth, template) },
  }
}

function expandNames(target: RequestTarget, reader: Reader) {
  const names: { resource?: string; operation?: string; instance?: string } = {}
  for (const field of ["resource", "operation", "instance"] as const) {
    const text = target[field]
    if (text !== undefined) names[field] = expandOrKeep(text, reader)
  }
  return names
}

function expandOrKeep(text: string, reader: Reader): string {
  const expanded = expandText(text, reader)
  return expanded.ok ? expanded.value : text
}

/** Reads a file only to fail as a run would. */
async function readStandIn(path: string, { ports, standIns }: Building): Promise<Uint8Array> {
  await ports.files.read(path)
  return new TextEncoder().encode(standIns.contentOf(path))
}

const refused = (outcome: BlockOutcome): OpenedRequest => ({
  ok: false,
  message: outcome.status === "failed" ? outcome.failure.message : outcome.status,
})

function variableOfAuth(auth: RequestAuth, { security }: RequestTemplate): string {
  if (auth.kind === "oauth2") return auth.variables
  const scheme = security.flat().find(({ kind }) => kind === auth.kind)
  return schemeVariable(scheme?.name ?? "")
}
