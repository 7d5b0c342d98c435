// Masks the parts of events that come from outside. callsheet writes all other parts itself.

import { isJsonObject, type JsonValue } from "../json/value.ts"
import type { Problem } from "../problems.ts"
import type {
  AnsweredOperation,
  AssertionView,
  BlockError,
  BoundEnvironment,
  ContractProblem,
  ContractView,
  EventOf,
  Exchange,
  ExchangeDifference,
  FoundViolations,
  BlockSpan,
  Headers,
  Leftover,
  MessageView,
  RecordedRun,
  RedirectView,
  RequestDifference,
  RequestView,
  ResponseView,
  RunError,
  RunEvent,
  RunEventType,
  StaleViolation,
  RunTrace,
  SentSpan,
} from "./types.ts"

/** Replaces secrets with `***`. Returns a value without secrets unchanged or as an equal copy. */
export interface Mask {
  /** A message, a log line, an id. */
  readonly text: (text: string) => string
  /** The name of a header or an object member. Doesn't mask short secrets, which are masked only as whole values. */
  readonly name: (text: string) => string
  readonly url: (text: string) => string
  /** The value of a header that carries cookies or credentials. */
  readonly header: (text: string) => string
  /** A form or a multipart body as text. Compares each form value and each line with short secrets. */
  readonly body: (text: string) => string
  /** A JSON value. Integers beyond 2^53 become strings. */
  readonly value: (value: JsonValue) => JsonValue
  /** A JSON value, cut to about one screen of text for a failure. */
  readonly excerpt: (value: JsonValue) => JsonValue
  /** A JSON value. Cut like an excerpt, unless a listener needs full exchanges. */
  readonly detail: (value: JsonValue) => JsonValue
  /** The two sides of a comparison, cut where they don't differ. Absent if `detail` doesn't cut. */
  readonly sides?: ((expected: JsonValue, actual: JsonValue) => readonly [JsonValue, JsonValue]) | undefined
}

type MaskOf<T, By = Mask> = (part: T, mask: By) => T

/** The mask of a part that consists of text only. */
type TextMask = Pick<Mask, "text">

/** Marks a member that isn't masked, because it comes from the engine or from a committed file. */
const own = "own"

/** The mask of each member. A new member of `T` is a compile error until it is added here. */
type Members<T, By> = { readonly [K in keyof T]-?: typeof own | MaskOf<Exclude<T[K], undefined>, By> }

/** Masks the members of an object. Copies the object only if one of them changes. */
function members<T extends object, By = Mask>(table: Members<T, By>): MaskOf<T, By> {
  const outside = (Object.keys(table) as (keyof T)[]).flatMap((key) => {
    const how = table[key]
    return how === own ? [] : [{ key, how: how as MaskOf<unknown, By> }]
  })
  return (part, mask) => {
    let masked: T | undefined
    for (const { key, how } of outside) {
      const value = part[key]
      if (value === undefined) continue
      const shown = how(value, mask) as T[keyof T]
      if (shown !== value) (masked ??= { ...part })[key] = shown
    }
    return masked ?? part
  }
}

const each =
  <T>(one: MaskOf<T>): MaskOf<readonly T[]> =>
  (items, mask) => {
    let masked: T[] | undefined
    let at = 0
    for (const item of items) {
      const shown = one(item, mask)
      if (shown !== item) (masked ??= items.slice())[at] = shown
      at++
    }
    return masked ?? items
  }

const text: MaskOf<string, TextMask> = (from, mask) => mask.text(from)
const name: MaskOf<string> = (from, mask) => mask.name(from)
const url: MaskOf<string> = (from, mask) => mask.url(from)
const value: MaskOf<JsonValue> = (from, mask) => mask.value(from)
const excerpt: MaskOf<JsonValue> = (from, mask) => mask.excerpt(from)
const detail: MaskOf<JsonValue> = (from, mask) => mask.detail(from)

/** Narrows the type of a masked object, which is still an object. */
const objectBy =
  (how: MaskOf<JsonValue>): MaskOf<Readonly<Record<string, JsonValue>>> =>
  (from, mask) => {
    const masked = how(from, mask)
    return isJsonObject(masked) ? masked : from
  }

const credentialHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"])

const headers: MaskOf<Headers> = (from, mask) => {
  if (arePublic(from, mask)) return from
  const shown = createMaskedKeys(from, mask.name)
  const masked = Object.entries(from).map(([key, given]) => {
    const how = maskOfHeader(key, mask)
    return [shown(key), typeof given === "string" ? how(given) : given.map(how)] as const
  })
  return Object.fromEntries(masked)
}

function arePublic(from: Headers, mask: Mask): boolean {
  for (const key of Object.keys(from)) {
    if (mask.name(key) !== key) return false
    const how = maskOfHeader(key, mask)
    const given = from[key] ?? "" // own key
    const isSame = typeof given === "string" ? how(given) === given : given.every((one) => how(one) === one)
    if (!isSame) return false
  }
  return true
}

const maskOfHeader = (key: string, mask: Mask): ((value: string) => string) =>
  credentialHeaders.has(key) ? mask.header : mask.text

/**
 * Returns a function that maps keys of `from` to keys of its masked copy. The second key that becomes `***` is named
 * `*** (2)`. A key without a secret keeps its name.
 */
export function createMaskedKeys(from: object, mask: (key: string) => string): (key: string) => string {
  /** The number of times that each masked key was used, including numbered keys. */
  let counts: Map<string, number> | undefined
  return (key) => {
    const shown = mask(key)
    if (shown === key) return key
    counts ??= new Map()
    let number = counts.get(shown) ?? 0
    let free: string
    do {
      number++
      free = number === 1 ? shown : `${shown} (${number})`
    } while (Object.hasOwn(from, free) || (number > 1 && counts.has(free)))
    counts.set(shown, number)
    if (number > 1) counts.set(free, 1)
    return free
  }
}

const located = { file: own, line: own, column: own } as const

const requestBy = (body: MaskOf<JsonValue>): MaskOf<RequestView> =>
  members<RequestView>({
    method: own,
    url,
    headers,
    body,
    bodyText: (from, mask) => {
      const shown = body(mask.body(from), mask)
      return typeof shown === "string" ? shown : ""
    },
  })

const service = members<NonNullable<BoundEnvironment["service"]>>({ is: own, address: url })
const environment = members<BoundEnvironment>({ name: own, level: own, baseUrl: url, service })

const environments: MaskOf<Readonly<Record<string, BoundEnvironment>>> = (from, mask) =>
  Object.fromEntries(Object.entries(from).map(([api, bound]) => [api, environment(bound, mask)]))

const redirect = members<RedirectView>({ method: own, status: own, url, dropped: each(name) })

const responseBy = (body: MaskOf<JsonValue>): MaskOf<ResponseView> =>
  members<ResponseView>({
    status: own,
    headers,
    body,
    durationMs: own,
    sizeBytes: own,
    redirects: each(redirect),
    endedBy: own,
    items: own,
  })

const request = requestBy(value)
const response = responseBy(value)

const contractProblem = members<ContractProblem>({
  path: text,
  message: text,
  schema: text,
  file: own,
  line: own,
  known: own,
})

const foundViolations = members<FoundViolations>({
  api: own,
  operation: own,
  status: own,
  violations: each(members<FoundViolations["violations"][number]>({ path: text, schema: text })),
  isCut: own,
})

const stale = members<StaleViolation>({ api: own, operation: own, status: own, path: text, schema: text })

const contract = members<ContractView>({
  status: own,
  problems: each(contractProblem),
  unchecked: text,
})

const message = members<MessageView>({
  id: own,
  method: text,
  path: url,
  query: objectBy(value),
  headers,
  body: value,
  receivedAt: own,
  contract,
})

const assertionTable = {
  source: text,
  operator: own,
  expected: detail,
  actual: detail,
  status: own,
  message: text,
  ...located,
} as const
const singleSides = members<AssertionView>(assertionTable)
const maskedSides = members<AssertionView>({ ...assertionTable, expected: own, actual: own })

const assertion: MaskOf<AssertionView> = (from, mask) => {
  const { expected, actual } = from
  if (mask.sides === undefined || expected === undefined || actual === undefined)
    return singleSides(from, mask)
  const [left, right] = mask.sides(expected, actual)
  return maskedSides({ ...from, expected: left, actual: right }, mask)
}

const requestDifference = members<RequestDifference>({ what: own, path: text, recorded: value, now: value })

const recordedRun = members<RecordedRun>({
  seed: own,
  variables: (from, mask) =>
    Object.fromEntries(Object.entries(from).map(([api, values]) => [api, objectBy(value)(values, mask)])),
})

const blockError = members<BlockError>({ code: own, message: text, hint: text, ...located })

export const maskProblem = members<Problem, TextMask>({
  code: own,
  severity: own,
  message: text,
  file: own,
  line: own,
  column: own,
  hint: text,
  excerpt: text,
})

const runError = members<RunError>({ code: own, message: text, problems: each(maskProblem) })

const exchange = members<Exchange>({
  block: text,
  request: requestBy(excerpt),
  response: responseBy(excerpt),
})

const difference = members<ExchangeDifference>({ block: text, first: exchange, second: exchange })

/** Names of entries come from `callsheet.json`, so they are not masked. */
const place = {
  project: own,
  suite: own,
  entry: own,
  role: own,
  row: own,
  repeat: own,
  attempt: own,
} as const

const answers = members<AnsweredOperation>({ api: own, name: own, method: own, path: own, contentType: text })

const inRun = { type: own, run: own } as const
const inBlock = { ...inRun, block: own } as const
const entered = {
  ...inBlock,
  parent: own,
  iteration: own,
  id: text,
  kind: own,
  description: text,
} as const

// Ids come from TRACEPARENT or from a request's own header, and either may contain a secret.
const runTrace = members<RunTrace>({
  traceId: text,
  spanId: own,
  rootId: own,
  parentId: text,
  flags: own,
  state: text,
  startMs: own,
  url,
})
const blockSpan = members<BlockSpan>({ id: own, startMs: own })
const sentSpan = members<SentSpan>({ id: text, traceId: text })

const leftover = members<Leftover>({ api: own, url, operation: own, unknown: own })

const events: { readonly [T in RunEventType]: MaskOf<EventOf<T>> } = {
  "run.started": members<EventOf<"run.started">>({
    ...inRun,
    ...place,
    workflow: own,
    startedAt: own,
    environments,
    inputs: objectBy(value),
    recorded: recordedRun,
    trace: runTrace,
  }),
  "api.documented": members<EventOf<"api.documented">>({ ...inRun, api: own, operations: own }),
  "leftovers.found": members<EventOf<"leftovers.found">>({ ...inRun, leftovers: each(leftover) }),
  "baseline.compared": members<EventOf<"baseline.compared">>({ ...inRun, stale: each(stale) }),
  "message.received": members<EventOf<"message.received">>({ ...inRun, message }),
  "warning.raised": members<EventOf<"warning.raised">>({ ...inBlock, warning: maskProblem }),
  "token.requested": members<EventOf<"token.requested">>({
    ...inBlock,
    spanId: own,
    startMs: own,
    durationMs: own,
    method: own,
    url,
    status: own,
  }),
  "block.started": members<EventOf<"block.started">>({ ...entered, span: blockSpan }),
  "block.skipped": members<EventOf<"block.skipped">>({ ...entered, reason: own }),
  "request.checked": members<EventOf<"request.checked">>({
    ...inBlock,
    problems: each(contractProblem),
    unchecked: text,
  }),
  "request.sent": members<EventOf<"request.sent">>({ ...inBlock, startMs: own, request, span: sentSpan }),
  "response.received": members<EventOf<"response.received">>({
    ...inBlock,
    response,
    answers,
    bigIntegers: each(text),
    bodyText: (from, mask) => mask.body(from),
  }),
  "stream.item": members<EventOf<"stream.item">>({ ...inBlock, index: own, elapsedMs: own, item: value }),
  "request.compared": members<EventOf<"request.compared">>({
    ...inBlock,
    differences: each(requestDifference),
  }),
  "response.lost": members<EventOf<"response.lost">>({ ...inBlock, operation: own }),
  "contract.checked": members<EventOf<"contract.checked">>({
    ...inBlock,
    contract,
    found: foundViolations,
  }),
  "assertions.checked": members<EventOf<"assertions.checked">>({ ...inBlock, assertions: each(assertion) }),
  "outputs.made": members<EventOf<"outputs.made">>({ ...inBlock, outputs: objectBy(detail) }),
  "log.written": members<EventOf<"log.written">>({ ...inBlock, text }),
  "iteration.started": members<EventOf<"iteration.started">>({ ...inBlock, index: own, value }),
  "iteration.finished": members<EventOf<"iteration.finished">>({ ...inBlock, index: own, status: own }),
  "block.finished": members<EventOf<"block.finished">>({
    ...inBlock,
    status: own,
    reason: own,
    durationMs: own,
    error: blockError,
    undecidable: text,
    times: own,
    exchanges: each(exchange),
  }),
  "run.finished": members<EventOf<"run.finished">>({
    ...inRun,
    status: own,
    durationMs: own,
    error: runError,
    reason: own,
    flaky: own,
    differs: difference,
    isRetried: own,
  }),
}

/** Returns whether a value is the type of an event. A newer version may write others. */
export const isEventType = (type: unknown): type is RunEventType =>
  typeof type === "string" && Object.hasOwn(events, type)

/** Returns the event with its secrets masked, or the event itself if it has none. */
export const maskEvent = <E extends RunEvent>(event: E, mask: Mask): E =>
  (events[event.type] as MaskOf<RunEvent>)(event, mask) as E
