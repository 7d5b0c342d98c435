// Runs a request block: resolves its names, sends the request, and checks the response.

import { describeOutside, findTarget, type Target } from "@callsheet/language"
import {
  type AnsweredOperation,
  type ContractProblem,
  type ContractView,
  type EventOf,
  type Exchange,
  type JsonObject,
  type JsonValue,
  type RequestBlock,
  type RequestView,
  type ResponseView,
  type SentSpan,
  type Writable,
  INBOX,
  once,
} from "@callsheet/format"
import type { DistinctViolations } from "@callsheet/openapi"
import type { JudgedContract } from "../baseline/apply-baseline.ts"
import { capture, captureItem, captureResponse } from "../outlet/capture.ts"
import { keepResult, type BlockRunner, type Running } from "../run/context.ts"
import { expandSelector, type Reader } from "../run/expand.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../run/failure.ts"
import { messages } from "../messages.ts"
import type { PlannedApi } from "../plan/plan.ts"
import type {
  Comparison,
  PartialResponse,
  ReceivedItem,
  SendOutcome,
  SentRequest,
  Verdicts,
  WireRequest,
  WireResponse,
} from "../ports.ts"
import { buildRequest, type BuildOutcome } from "../request/build-request.ts"
import { expandRequest } from "../request/expand-request.ts"
import {
  createRequestTemplate,
  type BuiltRequest,
  type RequestTemplate,
} from "../request/request-template.ts"
import { readBody, type ReadBody } from "../request/read-body.ts"
import { oddCredential, strayVariable } from "../request/odd-credentials.ts"
import { shownStart } from "../request/shown-start.ts"
import { describeRateLimit } from "../run/rate-limit.ts"
import { roundMs } from "../run/round-ms.ts"
import { checkRequest, emitChecked, emitVerdict, type Sending } from "./check-request.ts"
import { noteExchange } from "./note-exchange.ts"
import { holdsUnknown, isUnknownAt, requireKnown, Undecided, unknownSays } from "../run/undecided.ts"
import { warnAt, warnOfExchange } from "../run/warn.ts"

export const runRequest: BlockRunner<RequestBlock> = (running) => {
  const { ports, secrets } = running.frame.context
  const { snapshots } = ports
  return snapshots === undefined
    ? prepareRequest(running)
    : prepareRequest({ ...running, expected: snapshots.open(secrets.text(running.id)) })
}

const prepareRequest: BlockRunner<RequestBlock> = (running) => {
  const { block, frame } = running
  const { plan, templates } = frame.context
  const api = plan.apis.get(block.request.api)!
  const template = templates.get(block)
  if (template?.built !== undefined) return exchange(running, { api, template, built: template.built })
  return buildAndExchange(running, api, template)
}

function buildAndExchange(
  running: Running<RequestBlock>,
  api: PlannedApi,
  known: RequestTemplate | undefined,
): BlockOutcome | Promise<BlockOutcome> {
  const { block, frame } = running
  const { plan, secrets, ports } = frame.context
  const reader: Reader = { scope: frame.scope, dynamic: running.reader.dynamic, api: block.request.api }
  const template = known ?? openTemplate(running, api, reader)
  if ("status" in template) return template
  const { overrides } = block.request
  const { instance } = template.target
  const onCredential = (value: JsonValue, path: string): void => capture(frame.context, value, path)
  const expanded = expandRequest({
    instance,
    overrides,
    texts: template.texts,
    reader,
    secrets,
    onCredential,
  })
  if (!expanded.ok) return expanded.outcome
  const environment = plan.environments.get(block.request.api)!
  const { request } = expanded
  const building = buildRequest({
    api,
    environment,
    template,
    request,
    settings: plan.settings,
    files: ports.files,
    random: ports.generated === undefined ? ports.random : reader.dynamic.random,
    onCredential,
  })
  const send = (outcome: BuildOutcome): BlockOutcome | Promise<BlockOutcome> => {
    if (!outcome.ok) return outcome.outcome
    if (template.isConstant) template.built = outcome.built
    const { wire, credentials } = outcome.built
    const odd = oddCredential(wire, credentials, plan.environments)
    if (odd !== undefined) warnOfExchange(running, odd)
    return exchange(running, { api, template, built: outcome.built })
  }
  return building instanceof Promise ? building.then(send) : send(building)
}

function openTemplate(
  running: Running<RequestBlock>,
  api: PlannedApi,
  reader: Reader,
): RequestTemplate | BlockOutcome {
  const { block, frame } = running
  const target = nameTarget(running, api, reader)
  if ("status" in target) return target
  const template = createRequestTemplate(block, api, target)
  const { resource, operation, instance } = block.request
  const names = [resource, operation, instance, target.instance?.operation]
  if (!names.some((name) => name?.includes("{{"))) frame.context.templates.set(block, template)
  return template
}

function nameTarget(running: Running<RequestBlock>, api: PlannedApi, reader: Reader): Target | BlockOutcome {
  const { block } = running
  const names: { resource?: string; operation?: string; instance?: string } = {}
  for (const field of ["resource", "operation", "instance"] as const) {
    const text = block.request[field]
    if (text === undefined) continue
    const expanded = expandSelector(text, reader)
    if (!expanded.ok) return failed(expanded.finding)
    names[field] = expanded.value
  }
  requireKnown(reader.scope, Object.values(names), "the name of the request")
  let unresolved: BlockOutcome | undefined
  const found = findTarget(api, names, (text) => {
    const expanded = expandSelector(text, reader)
    if (expanded.ok) return expanded.value
    unresolved = failed(expanded.finding)
    return text
  })
  if (unresolved !== undefined) return unresolved
  if (found.found) return found.target
  return failed(found.finding)
}

async function exchange(running: Running<RequestBlock>, sending: Sending): Promise<BlockOutcome> {
  const { frame, id } = running
  const { plan, ports, emit } = frame.context
  const { wire } = sending.built
  const verdict = await checkRequest(running, sending)
  let sent: SentRequest | undefined
  const onSent: OnSent = (request, span): void => {
    if (sent === undefined && ports.earlier === undefined)
      emitChecked(running, verdict, { sent: request, built: sending.built })
    sent = request
    noteExchange(running, sending, request)
    emitSent(running, { request, span }, sending.built)
  }
  const onItem = (item: ReceivedItem): void => receiveItem(running, sending, item)
  const outcome = await authorize(running, sending.built, senderOf(running, { onSent, onItem }))
  const request = (): RequestView => requestView(sent ?? wireView(wire), sending.built)
  const compared = outcome.ok ? compareWithEarlier(running, sending) : undefined
  if (compared?.verdicts !== undefined) emitVerdict(running, compared.verdicts.request)
  else if (sent === undefined || ports.earlier !== undefined)
    emitChecked(running, verdict, { sent, built: sending.built })
  if (!outcome.ok) return failExchange(running, sending, { outcome, request: request() })
  const { response } = outcome
  const body = "parsed" in response.body ? response.body.parsed : readBody(response.body, response.headers)
  for (const warning of response.warnings ?? []) warnOfExchange(running, warning)
  if (body.fault !== undefined) {
    const fault = { ok: false, ...body.fault, redirects: response.redirects, partial: response } as const
    return failExchange(running, sending, { outcome: fault, request: request(), body: body.value })
  }
  const shown = (): Exchange => ({
    block: id,
    request: request(),
    response: responseView(wire, response, body.value),
  })
  receive(running, sending, { sent, response, body })
  const value = { response: resultOf(response, body) }
  const exchanges = (): readonly Exchange[] => [shown()]
  keepResult(running, body.isWellFormed ? { value, exchanges } : { value, exchanges, isBodyBroken: true })
  emitReceived(running, sending, { response, body })
  warnOfStatus(running, response)
  const { differences = [], failure, verdicts } = compared ?? {}
  if (differences.length > 0)
    emit({ type: "request.compared", run: frame.context.run, block: running.number, differences })
  const otherwise = failure === undefined ? passed : failed(failure, { exchanges: [shown()] })
  const ending =
    plan.workflow.validateContracts === true
      ? await judge(running, sending, { response, body, shown, earlier: verdicts, otherwise })
      : otherwise
  if (running.expected === undefined || ending.status !== "passed") return ending
  const { checkSnapshot } = await import("./check-snapshot.ts")
  const view = responseView(wire, response, body.value)
  return checkSnapshot(running, { sending, response: view, shown, outcome: ending })
}

/** Captures the secrets of a response before any part of it is shown, and tells the inbox about it. */
function receive(
  running: Running<RequestBlock>,
  sending: Sending,
  {
    sent,
    response: { status, headers },
    body: { value: body },
  }: Pick<Reception, "response" | "body"> & {
    readonly sent: SentRequest | undefined
  },
): void {
  // Most runs have no inbox.
  if (sent !== undefined && running.frame.context.inbox !== undefined)
    noteExchange(running, sending, { headers: sent.headers, response: { status, headers, body } })
  captureResponse(running, { api: sending.api, template: sending.template, status, headers, body })
}

type OnSent = (request: SentRequest, span: SentSpan | undefined) => void

/** Returns a function that sends a request as soon as the limit of the session allows it. */
function senderOf(
  running: Running,
  { onSent, onItem }: { readonly onSent: OnSent; readonly onItem: (item: ReceivedItem) => void },
) {
  const { frame, number } = running
  const { ports, requests, tracing } = frame.context
  let count = 0
  return async (given: WireRequest): Promise<SendOutcome> => {
    const { request, span } = tracing?.stamp(running, given, count++) ?? { request: given, span: undefined }
    const turn = requests.enter()
    if (turn !== undefined) await turn
    try {
      return await ports.http.send(request, {
        signal: frame.signal,
        block: number,
        onSent: (sent) => onSent(sent, span),
        onItem,
      })
    } finally {
      requests.leave()
    }
  }
}

/** Reports an item of a stream. */
function receiveItem(
  running: Running<RequestBlock>,
  { api, template }: Sending,
  { index, value, elapsedMs, response: { status, headers } }: ReceivedItem,
): void {
  const { frame, number } = running
  const { emit, run, plan } = frame.context
  captureItem(running, { api, template, status, headers, body: value, index })
  const item = { type: "stream.item", run, block: number, index, elapsedMs: roundMs(elapsedMs) } as const
  emit(plan.settings.exchanges ? { ...item, item: value } : item)
}

/** Compares a request with that of the earlier run, if this run repeats one. */
function compareWithEarlier(
  { frame: { context }, number }: Running,
  { api: { api, checker }, template, built }: Sending,
): Comparison | undefined {
  return context.ports.earlier?.compare({
    block: number,
    api: api.name,
    operation: checker === undefined ? undefined : template.target.operation,
    isAuthorized: built.auth !== undefined,
    secrets: context.secrets,
  })
}

/** Sends a request, with authorization if the document requires it. */
function authorize(
  running: Running,
  { wire, auth }: BuiltRequest,
  send: (request: WireRequest) => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const { context, signal } = running.frame
  const port = context.ports.auth
  if (auth === undefined || port === undefined) return send(wire)
  const keepSecret = (value: string, name: string): void => capture(context, value, name)
  return port.send(wire, auth, { signal, send, keepSecret, openSpan: context.tracing?.tokenSpans(running) })
}

interface FailedExchange {
  readonly outcome: Extract<SendOutcome, { ok: false }>
  readonly request: RequestView
  /** The text of a body that arrived but can't be read. */
  readonly body?: JsonValue | undefined
}

/** Fails the block, and reports the part of the response that arrived. */
function failExchange(
  running: Running<RequestBlock>,
  sending: Sending,
  { outcome, request, body }: FailedExchange,
): BlockOutcome {
  const { id, number, frame } = running
  const { run, emit, plan, secrets } = frame.context
  const { api, template, built } = sending
  const { code, hint, partial, isSent = false } = outcome
  if (partial === undefined ? isSent : partial.status < 300) emitLost(running, sending)
  if (code === "cancelled") return cancelled
  const start = partial?.body.start
  const message =
    start === undefined
      ? outcome.message
      : messages["request-failed"].started(outcome.message, shownStart(start, secrets)).message
  const finding = { code, message, hint: hint ?? strayVariable(built.wire, plan.environments) }
  if (partial === undefined) return failed(finding, { exchanges: [{ block: id, request }] })
  captureResponse(running, { api, template, ...partial, body })
  const response = responseView(built.wire, partial, body)
  emit({
    type: "response.received",
    run,
    block: number,
    response: plan.settings.exchanges ? response : responseLine(partial),
  })
  return failed(finding, { exchanges: [{ block: id, request, response }] })
}

const wireView = ({ method, url, headers, secretBase }: WireRequest): SentRequest => ({
  method,
  url: secretBase?.url(url) ?? url,
  headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
})

function requestView(sent: SentRequest, { bodyView, bodyText }: BuiltRequest): RequestView {
  if (bodyView === undefined && bodyText === undefined) return sent
  return {
    ...sent,
    ...(bodyView === undefined ? {} : { body: bodyView }),
    ...(bodyText === undefined ? {} : { bodyText: bodyText() }),
  }
}

/** Builds the value of `<id>.response`. */
function resultOf(
  { status, headers, durationMs }: WireResponse,
  { value: body, text }: ReadBody,
): JsonObject {
  const rounded = roundMs(durationMs)
  if (body === undefined) return { status, headers, durationMs: rounded }
  if (text === undefined) return { status, headers, body, durationMs: rounded }
  return {
    status,
    headers,
    body,
    // Most blocks read only the items.
    get bodyText() {
      return text()
    },
    durationMs: rounded,
  }
}

function responseLine({
  status,
  durationMs,
  body,
  redirects,
  stream,
}: PartialResponse): Writable<ResponseView> {
  const view: Writable<ResponseView> = { status, durationMs: roundMs(durationMs), sizeBytes: body.length }
  if (redirects.length > 0) view.redirects = redirects
  return stream === undefined ? view : { ...view, ...stream }
}

function responseView(
  { secretBase, url }: WireRequest,
  response: PartialResponse,
  body: JsonValue | undefined,
): ResponseView {
  const view = responseLine(response)
  view.headers = secretBase?.headers(response.headers, url) ?? response.headers
  if (body !== undefined) view.body = body
  return view
}

interface Sent {
  readonly request: SentRequest
  readonly span: SentSpan | undefined
}

function emitSent({ frame, number }: Running, { request: sent, span }: Sent, built: BuiltRequest): void {
  const { emit, run, plan, ports } = frame.context
  const { method, url } = sent
  const request = plan.settings.exchanges ? requestView(sent, built) : { method, url }
  const event = { type: "request.sent", run, block: number, startMs: ports.clock.now(), request } as const
  emit(span === undefined ? event : { ...event, span })
}

function emitReceived(
  { frame, number }: Running,
  { api, template, built }: Sending,
  { response: received, body }: { readonly response: WireResponse; readonly body: ReadBody },
): void {
  const { emit, run, plan, ports } = frame.context
  const { exchanges } = plan.settings
  const response = exchanges ? responseView(built.wire, received, body.value) : responseLine(received)
  const event: Writable<EventOf<"response.received">> = {
    type: "response.received",
    run,
    block: number,
    response,
  }
  const isRecorded = ports.generated !== undefined && ports.earlier === undefined
  if (isRecorded && body.text !== undefined) event.bodyText = body.text()
  if (plan.settings.coverage) {
    const answers = answersOf(api, template, received)
    if (answers !== undefined) event.answers = answers
  }
  emit(event)
}

function answersOf(
  { api }: PlannedApi,
  template: RequestTemplate,
  { headers }: WireResponse,
): AnsweredOperation | undefined {
  const { operation } = template.target
  if (operation === undefined) return undefined
  const given = headers["content-type"]
  const contentType = typeof given === "string" ? given : undefined
  const last = template.answers
  if (last !== undefined && last.contentType === contentType) return last
  const { name, method, path } = operation
  const answers: AnsweredOperation = { api: api.name, name, method, path }
  return (template.answers = contentType === undefined ? answers : { ...answers, contentType })
}

function emitLost({ frame, number }: Running, { api, template: { target } }: Sending): void {
  const { emit, run, plan } = frame.context
  const { operation } = target
  if (!plan.settings.coverage || operation === undefined) return
  const { method, path } = operation
  emit({ type: "response.lost", run, block: number, operation: { api: api.api.name, method, path } })
}

// A 500 doesn't fail the block, so warn if the workflow never checks the status.
function warnOfStatus(running: Running, { status, headers }: WireResponse): void {
  const { id, block, frame } = running
  if (status < 400 || frame.context.plan.references.readsStatus(block.id)) return
  const limited = describeRateLimit(status, headers)
  warnAt(running, ["request"], messages["status-unread"].unread(id, status, limited))
}

interface Reception {
  readonly response: WireResponse
  readonly body: ReadBody
  readonly shown: () => Exchange
  /** The verdict of the earlier run. */
  readonly earlier: Pick<Verdicts, "response" | "found"> | undefined
  /** The outcome if the response matches the contract. */
  readonly otherwise: BlockOutcome
}

/** Removes the violations of unknown values, which may have none. Returns the path of the first. */
function withoutUnknown(
  contract: ContractView,
  { headers }: WireResponse,
  { body, isUnknown }: { readonly body: ReadBody; readonly isUnknown: (value: JsonValue) => boolean },
): { readonly contract: ContractView; readonly undecided?: string } {
  const all = { headers, body: body.value ?? null } as JsonObject
  const isHidden = ({ path }: ContractProblem): boolean => isUnknownAt(all, path, isUnknown)
  const undecided = contract.problems.find(isHidden)?.path
  const problems = contract.problems.filter((problem) => !isHidden(problem))
  if (undecided === undefined) return { contract }
  const decided = contract.unchecked === undefined ? "passed" : "unchecked"
  return {
    contract: { ...contract, status: problems.length === 0 ? decided : contract.status, problems },
    undecided,
  }
}

/** Returns how to find the values by which a contract must not be judged. Undefined if there are none. */
function unknownOf({ run }: Running["frame"]["scope"]): ((value: JsonValue) => boolean) | undefined {
  const { unknown, withheld } = run
  return unknown === undefined ? withheld?.isIn : (value) => holdsUnknown(value, unknown.text)
}

/** Checks a response. Also returns all violations, if a listener or the baseline needs them. */
async function checkContract(
  { frame: { context } }: Running,
  { api, target }: { readonly api: PlannedApi; readonly target: Target },
  { response: { status, headers }, body }: Pick<Reception, "response" | "body">,
): Promise<{ readonly contract: ContractView; readonly distinct?: DistinctViolations | undefined }> {
  const { operation, method } = target
  const isInbox = context.plan.environments.get(api.api.name)?.service?.is === INBOX
  const others = isInbox ? (await import("./message-problems.ts")).messageProblems(body.value) : []
  if (operation === undefined || api.checker === undefined)
    return { contract: { status: others.length > 0 ? "failed" : "unavailable", problems: others } }
  let distinct: DistinctViolations | undefined
  const keepsViolations = context.baseline !== undefined || context.plan.settings.exchanges
  const contract = await api.checker.check(
    {
      operation,
      method,
      status,
      headers,
      body: body.value,
      isWellFormed: body.isWellFormed,
      text: body.text,
      isSecret: context.secrets.occursIn,
      others,
    },
    keepsViolations ? (violations) => (distinct = violations) : undefined,
  )
  return { contract, distinct }
}

/** Marks the violations that the baseline lists. Loaded on first use, because most responses have none. */
const loadBaseline = once(() => import("../baseline/apply-baseline.ts"))

async function judge(
  running: Running,
  { api, template: { target } }: Sending,
  { response, body, shown, earlier, otherwise }: Reception,
): Promise<BlockOutcome> {
  const { frame, number } = running
  const { emit, run, secrets, baseline } = frame.context
  const { status, headers } = response
  const { contract, distinct } =
    earlier === undefined
      ? await checkContract(running, { api, target }, { response, body })
      : { contract: earlier.response }
  const isUnknown = earlier === undefined ? unknownOf(frame.scope) : undefined
  const decided =
    isUnknown === undefined ? { contract } : withoutUnknown(contract, response, { body, isUnknown })
  const { method, path: operationPath } = target.operation ?? target
  const isPlain = baseline === undefined && decided.contract.problems.length === 0
  const judged: JudgedContract = isPlain
    ? { contract: decided.contract, failing: [] }
    : (await loadBaseline()).applyBaseline(decided.contract, {
        subject: { api: api.api.name, operation: `${method} ${operationPath}`, status },
        distinct,
        earlier: earlier?.found,
        response: { status, headers, body: body.value ?? null },
        baseline,
        mask: secrets.text,
      })
  const { found } = judged
  emit({
    type: "contract.checked",
    run,
    block: number,
    contract: judged.contract,
    ...(found === undefined ? {} : { found }),
  })
  // A name that a placeholder selects is known only now.
  const outside = describeOutside(api, target)
  if (outside !== undefined) warnAt(running, ["request"], outside)
  if (judged.contract.status !== "failed") {
    const path = decided.undecided
    // Whether a secret violates the contract must stay hidden, too.
    const isShown = path !== undefined && frame.scope.run.withheld === undefined
    if (isShown && otherwise === passed) throw new Undecided("part", unknownSays.contract(path).message)
    return otherwise
  }
  const finding = (await loadBaseline()).describeViolations(target, judged, baseline !== undefined)
  const hint = describeRateLimit(status, headers) ?? finding.hint
  return failed({ ...finding, hint }, { exchanges: [shown()] })
}
