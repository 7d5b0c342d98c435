// The shapes of events, to check those that come from a file. The types in `types.ts` decide which members a shape has; the
// compiler names a member that is missing here. Unknown members are accepted, because a newer version may add some.

import type { JsonObject, JsonValue } from "../json/value.ts"
import { blockKinds } from "../workflow/blocks/index.ts"
import { isEventType } from "./mask.ts"
import { once } from "../memo.ts"
import type { Finding, Problem } from "../problems.ts"
import { readShape } from "../shape/check-shape.ts"
import { createMatcher } from "../shape/matches-shape.ts"
import {
  any,
  array,
  boolean,
  either,
  enumOf,
  isoTime,
  map,
  MAX_TIME_MS,
  number,
  openObject,
  optional,
  required,
  string,
  type Field,
  type Shape,
} from "../shape/shape.ts"
import type {
  AnsweredOperation,
  AssertionView,
  BlockEntered,
  BlockError,
  BlockSpan,
  BoundEnvironment,
  ContractProblem,
  ContractView,
  DocumentedOperation,
  EventOf,
  Exchange,
  ExchangeDifference,
  FoundViolations,
  Leftover,
  MessageView,
  RecordedRun,
  RedirectView,
  RequestDifference,
  RequestedOperation,
  RequestView,
  ResponseView,
  RunError,
  RunEvent,
  RunEventType,
  StaleViolation,
  RunTrace,
  SentSpan,
} from "./types.ts"

/** A field per member of `T`. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? Field<Exclude<T[K], undefined>, false>
    : Field<T[K], true>
}

const open = <T extends object>(fields: FieldsOf<T>): Shape<T> =>
  openObject(fields as Readonly<Record<string, Field>>) as Shape<object> as Shape<T>

// Members have their summaries in `types.ts`.
const must = <T>(shape: Shape<T>): Field<T, true> => required(shape, "")
const may = <T>(shape: Shape<T>): Field<T, false> => optional(shape, "")
const list = <T>(items: Shape<T>): Shape<readonly T[]> => array(() => items)
/** A word of a vocabulary that grows with each version, such as a code. */
const word = <T extends string>(): Shape<T> => text as Shape<T>
const yes = boolean as Shape<true>

const text = string()
const count = number({ integer: true, minimum: 0, maximum: MAX_TIME_MS })
const duration = number({ minimum: 0, maximum: MAX_TIME_MS })
const time = number({ minimum: -MAX_TIME_MS, maximum: MAX_TIME_MS })
const httpStatus = number({ integer: true, minimum: 0, maximum: 999 })
const blockStatus = enumOf("passed", "failed", "skipped")
const skipReason = enumOf("branch", "halted", "cancelled", "untranslated")
const object = map(any) as Shape<JsonObject>
const headers = map(either("a string or an array of strings", text, list(text)))

const located = { file: may(text), line: may(count), column: may(count) }

const request = open<RequestView>({
  method: must(text),
  url: must(text),
  headers: may(headers),
  body: may(any),
  bodyText: may(text),
})
const redirect = open<RedirectView>({
  method: may(text),
  status: must(httpStatus),
  url: must(text),
  dropped: may(list(text)),
})
const response = open<ResponseView>({
  status: must(httpStatus),
  headers: may(headers),
  body: may(any),
  durationMs: must(duration),
  sizeBytes: must(count),
  redirects: may(list(redirect)),
  endedBy: may(enumOf("server", "idle", "items", "until", "timeout")),
  items: may(count),
})
const contractProblem = open<ContractProblem>({
  path: must(text),
  message: must(text),
  schema: may(text),
  file: may(text),
  line: may(count),
  known: may(yes),
})
const foundViolations = open<FoundViolations>({
  api: must(text),
  operation: must(text),
  status: must(httpStatus),
  violations: must(list(open({ path: must(text), schema: must(text) }))),
  isCut: may(yes),
})
const contract = open<ContractView>({
  status: must(enumOf("passed", "failed", "known", "unchecked", "unavailable")),
  problems: must(list(contractProblem)),
  unchecked: may(text),
})
const message = open<MessageView>({
  id: must(text),
  method: must(text),
  path: must(text),
  query: must(object),
  headers: must(headers),
  body: may(any),
  receivedAt: must(isoTime),
  contract: may(contract),
})
const assertion = open<AssertionView>({
  ...located,
  source: must(text),
  operator: must(word()),
  expected: may(any),
  actual: may(any),
  status: must(enumOf("passed", "failed", "undecidable")),
  message: may(text),
})
const difference = open<RequestDifference>({
  what: must(enumOf("method", "url", "header", "body")),
  path: may(text),
  recorded: must(any),
  now: must(any),
})
const blockError = open<BlockError>({ ...located, code: must(word()), message: must(text), hint: may(text) })
const problem = open<Problem>({
  ...located,
  code: must(word()),
  message: must(text),
  hint: may(text),
  excerpt: may(text),
  severity: must(enumOf("error", "warning")),
})
const runError = open<RunError>({ code: must(word()), message: must(text), problems: must(list(problem)) })
const exchange = open<Exchange>({ block: must(text), request: must(request), response: may(response) })
const exchangeDifference = open<ExchangeDifference>({
  block: must(text),
  first: must(exchange),
  second: must(exchange),
})
const environment = open<BoundEnvironment>({
  name: must(text),
  level: must(enumOf("production", "staging", "local")),
  baseUrl: may(text),
  service: may(
    open<NonNullable<BoundEnvironment["service"]>>({ is: must(enumOf("inbox", "mock")), address: may(text) }),
  ),
})
const recordedRun = open<RecordedRun>({
  seed: must(number({ integer: true, minimum: 0 })),
  variables: may(map(object)),
})
const documented = open<DocumentedOperation>({
  name: must(text),
  method: must(text),
  path: must(text),
  answers: must(list(open({ status: must(text), mediaTypes: must(list(text)) }))),
})
const requested = { api: must(text), method: must(text), path: must(text) }
const answered = open<AnsweredOperation>({ ...requested, name: must(text), contentType: may(text) })
const leftover = open<Leftover>({
  api: must(text),
  url: must(text),
  operation: must(text),
  unknown: may(yes),
})

const staleViolation = open<StaleViolation>({
  api: must(text),
  operation: must(text),
  status: must(httpStatus),
  path: must(text),
  schema: must(text),
})
const runTrace = open<RunTrace>({
  traceId: must(text),
  spanId: must(text),
  rootId: may(text),
  parentId: may(text),
  flags: must(number({ integer: true, minimum: 0, maximum: 255 })),
  state: may(text),
  startMs: must(time),
  url: may(text),
})
const blockSpan = open<BlockSpan>({ id: must(text), startMs: must(time) })
const sentSpan = open<SentSpan>({ id: must(text), traceId: may(text) })

const inRun = { run: must(count) }
const inBlock = { ...inRun, block: must(count) }
const entered: FieldsOf<BlockEntered> = {
  ...inBlock,
  parent: may(count),
  iteration: may(count),
  id: must(text),
  kind: must(enumOf(...blockKinds)),
  description: may(text),
}

const event = <T extends RunEventType>(fields: FieldsOf<Omit<EventOf<T>, "type">>): Shape<EventOf<T>> =>
  // The type decided which shape it is.
  open(fields) as Shape<object> as Shape<EventOf<T>>

const eventShapes: { readonly [T in RunEventType]: Shape<EventOf<T>> } = {
  "run.started": event<"run.started">({
    ...inRun,
    project: may(text),
    suite: may(text),
    entry: may(text),
    role: may(enumOf("before", "main", "finally")),
    row: may(count),
    repeat: may(count),
    attempt: may(count),
    workflow: must(text),
    startedAt: must(isoTime),
    environments: must(map(environment)),
    inputs: must(object),
    recorded: may(recordedRun),
    trace: may(runTrace),
  }),
  "api.documented": event<"api.documented">({
    ...inRun,
    api: must(text),
    operations: must(list(documented)),
  }),
  "leftovers.found": event<"leftovers.found">({ ...inRun, leftovers: must(list(leftover)) }),
  "baseline.compared": event<"baseline.compared">({ ...inRun, stale: must(list(staleViolation)) }),
  "response.lost": event<"response.lost">({
    ...inBlock,
    operation: must(open<RequestedOperation>(requested)),
  }),
  "token.requested": event<"token.requested">({
    ...inBlock,
    spanId: must(text),
    startMs: must(time),
    durationMs: must(duration),
    method: must(text),
    url: must(text),
    status: may(httpStatus),
  }),
  "warning.raised": event<"warning.raised">({ ...inRun, block: may(count), warning: must(problem) }),
  "block.started": event<"block.started">({ ...entered, span: may(blockSpan) }),
  "block.skipped": event<"block.skipped">({ ...entered, reason: must(skipReason) }),
  "iteration.started": event<"iteration.started">({ ...inBlock, index: must(count), value: may(any) }),
  "iteration.finished": event<"iteration.finished">({
    ...inBlock,
    index: must(count),
    status: must(blockStatus),
  }),
  "block.finished": event<"block.finished">({
    ...inBlock,
    status: must(blockStatus),
    reason: may(skipReason),
    durationMs: must(duration),
    error: may(blockError),
    undecidable: may(text),
    times: may(list(time)),
    exchanges: may(list(exchange)),
  }),
  "run.finished": event<"run.finished">({
    ...inRun,
    reason: may(enumOf("unresolved", "halted", "bail", "refused")),
    flaky: may(yes),
    differs: may(exchangeDifference),
    status: must(enumOf("passed", "failed", "error", "skipped")),
    durationMs: must(duration),
    error: may(runError),
    isRetried: may(yes),
  }),
  "request.checked": event<"request.checked">({
    ...inBlock,
    problems: must(list(contractProblem)),
    unchecked: may(text),
  }),
  "request.sent": event<"request.sent">({
    ...inBlock,
    startMs: may(time),
    request: must(request),
    span: may(sentSpan),
  }),
  "response.received": event<"response.received">({
    ...inBlock,
    response: must(response),
    answers: may(answered),
    bigIntegers: may(list(text)),
    bodyText: may(text),
  }),
  "stream.item": event<"stream.item">({
    ...inBlock,
    index: must(count),
    elapsedMs: must(duration),
    item: may(any),
  }),
  "message.received": event<"message.received">({ ...inRun, message: must(message) }),
  "request.compared": event<"request.compared">({ ...inBlock, differences: must(list(difference)) }),
  "contract.checked": event<"contract.checked">({
    ...inBlock,
    contract: must(contract),
    found: may(foundViolations),
  }),
  "assertions.checked": event<"assertions.checked">({ ...inBlock, assertions: must(list(assertion)) }),
  "outputs.made": event<"outputs.made">({ ...inBlock, outputs: must(object) }),
  "log.written": event<"log.written">({ ...inBlock, text: must(text) }),
}

type Matcher = (value: JsonValue) => value is JsonValue & RunEvent

const matchers = once(
  (): ReadonlyMap<unknown, Matcher> =>
    new Map(Object.entries(eventShapes).map(([type, shape]) => [type, createMatcher<RunEvent>(shape)])),
)

interface ReadEvent {
  readonly event?: RunEvent | undefined
  /** The reason why callsheet didn't write the event. */
  readonly finding?: Finding | undefined
}

/** Checks an event from a file. Returns neither for a type that only a newer version knows. */
export function readEvent(value: JsonObject): ReadEvent {
  const type = value["type"]
  if (matchers().get(type)?.(value) === true) return { event: value }
  if (!isEventType(type)) return {}
  const { findings, value: event } = readShape<RunEvent>(eventShapes[type], value)
  return { event, finding: findings[0] }
}
