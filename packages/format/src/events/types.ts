// Types of run events and of the run report, which is exactly the JSON of `--reporter json`. The session masks secrets before
// any listener receives an event.

import type { JsonObject, JsonValue } from "../json/value.ts"
import type { FailureCode, Problem, ProblemCode } from "../problems.ts"
import type { ScriptOperator } from "../workflow/checks.ts"
import type { OperatorName } from "../workflow/operators.ts"
import type { BlockKind } from "../workflow/types.ts"

export type BlockStatus = "passed" | "failed" | "skipped"
/** The status of a session. A single run can also be skipped. */
export type SessionStatus = "passed" | "failed" | "error"
export type RunStatus = SessionStatus | "skipped"
/**
 * The reason why an entry of a suite didn't run: its inputs read a missing result, an entry of `before` failed,
 * `--bail` ended the suite, or the problems of other entries keep all from starting.
 */
export type RunSkipReason = "unresolved" | "halted" | "bail" | "refused"
export type RunRole = "before" | "main" | "finally"
/** `untranslated` is an imported script that does nothing yet. */
export type SkipReason = "branch" | "halted" | "cancelled" | "untranslated"
export type Level = "production" | "staging" | "local"

/** A sent request, without the parts that reports hide. */
export interface RequestView {
  readonly method: string
  readonly url: string
  readonly headers?: Headers
  /** The body as a value: JSON as is, text as a string, and a form as an object of its parts. */
  readonly body?: JsonValue
  /** The body as text, with a size in place of each file. Set only for forms and multipart bodies. */
  readonly bodyText?: string
}

export interface ResponseView {
  readonly status: number
  readonly headers?: Headers
  readonly body?: JsonValue
  readonly durationMs: number
  /** The size of the body in bytes after decoding, or before decoding if reading failed. */
  readonly sizeBytes: number
  readonly redirects?: readonly RedirectView[]
  /** What ended a stream. Set only for streams, whose `body` is an array. */
  readonly endedBy?: StreamEnding
  /** The number of items of a stream. */
  readonly items?: number
}

/**
 * The server, a time without data, the maximum number of items, an item in `streams.until` of `callsheet.json`, or the
 * time limit of the request.
 */
export type StreamEnding = "server" | "idle" | "items" | "until" | "timeout"

/** Headers by lower-case name. `set-cookie` is an array. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

export interface RedirectView {
  /** The method of the request to this URL. Absent if the redirect didn't change it. */
  readonly method?: string | undefined
  readonly status: number
  readonly url: string
  /** Headers and cookies that were not forwarded to another origin: `header authorization`, `cookie sid`. */
  readonly dropped?: readonly string[]
}

export interface ContractView {
  /**
   * `known` if the baseline lists all violations, `unavailable` if no operation matches, and `unchecked` if nothing failed but
   * the body wasn't checked.
   */
  readonly status: "passed" | "failed" | "known" | "unchecked" | "unavailable"
  readonly problems: readonly ContractProblem[]
  /** The reason why the body, or a part of it, wasn't checked against its schema. */
  readonly unchecked?: string
}

export interface ContractProblem {
  /**
   * JSON pointer into the response: `/status`, `/headers/etag`, `/body/items/0/price`. For a request: `/query/limit`,
   * `/path/id`, `/headers/x-tenant`, `/cookies/sid`, `/body/items/0/sku`.
   */
  readonly path: string
  readonly message: string
  /** The violated schema: a JSON pointer into `file`, which is part of the OpenAPI document. */
  readonly schema?: string
  readonly file?: string
  readonly line?: number
  /** True if the baseline lists the violation, so that it doesn't fail the block. */
  readonly known?: true
}

/** What a baseline keeps of the violations in one response: each once, without the indexes of arrays. */
export interface FoundViolations {
  readonly api: string
  /** `METHOD /path`. */
  readonly operation: string
  readonly status: number
  readonly violations: readonly { readonly path: string; readonly schema: string }[]
  /** True if the response has more violations, or some that a baseline can't keep. */
  readonly isCut?: true
}

/** A position in a project file. Lines and columns are 1-based. */
interface FilePosition {
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Has a position only if the assertion failed. */
export interface AssertionView extends FilePosition {
  readonly source: string
  /** A check such as `toHaveLength` or `not.toContain`, if a script made the assertion. */
  readonly operator: OperatorName | ScriptOperator
  readonly expected?: JsonValue
  readonly actual?: JsonValue
  /** `undecidable` in a replay, if the verdict depends on a masked value. */
  readonly status: "passed" | "failed" | "undecidable"
  readonly message?: string
}

/** A part of a replayed request that differs from the recorded one. A missing part is null. Both sides are masked. */
export interface RequestDifference {
  readonly what: "method" | "url" | "header" | "body"
  /** The name of the header, or the path in the body. */
  readonly path?: string
  readonly recorded: JsonValue
  readonly now: JsonValue
}

/** The facts about a recorded run that a replay repeats. */
export interface RecordedRun {
  /** The seed of the run's random values. */
  readonly seed: number
  /** The variables that are set by an option or a process variable, by API. Without secrets. */
  readonly variables?: Readonly<Record<string, JsonObject>>
}

export interface BlockError extends FilePosition {
  readonly code: FailureCode | ProblemCode
  readonly message: string
  readonly hint?: string
}

export interface RunError {
  readonly code: ProblemCode
  readonly message: string
  readonly problems: readonly Problem[]
}

/** An exchange related to a failed block. Bodies are cut to a length that a terminal can show. */
export interface Exchange {
  readonly block: string
  readonly request: RequestView
  readonly response?: ResponseView
}

/** A callback or webhook that the inbox of a run has received. */
export interface MessageView {
  /** Later messages have higher ids. */
  readonly id: string
  readonly method: string
  /** The path below the inbox's base URL, as sent. */
  readonly path: string
  readonly query: JsonObject
  readonly headers: Headers
  readonly body?: JsonValue | undefined
  readonly receivedAt: string
  /** Absent if no document describes the message. */
  readonly contract?: ContractView
}

export interface BoundEnvironment {
  readonly name: string
  readonly level: Level
  /** The base URL without its query. Absent if each operation has its own server. */
  readonly baseUrl?: string
  /** The server that callsheet started for the run, with the base URL of the run's own requests. */
  readonly service?: { readonly is: "inbox" | "mock"; readonly address?: string }
}

/** The trace of a run (W3C Trace Context level 2). */
export interface RunTrace {
  readonly traceId: string
  readonly spanId: string
  /** The span of the workflow, if it has one span per attempt. Its attempts are spans in it. */
  readonly rootId?: string
  /** The span around the workflow, which `TRACEPARENT` names. */
  readonly parentId?: string
  /** The flags of `traceparent`. Bit 0: the trace is sampled. */
  readonly flags: number
  readonly state?: string
  /** The start of the run, in milliseconds since 1970. */
  readonly startMs: number
  /** The address of a trace, with `{traceId}`, from `callsheet.json`. */
  readonly url?: string
}

/** The span of a block. `startMs` is in milliseconds since 1970. */
export interface BlockSpan {
  readonly id: string
  readonly startMs: number
}

/** The span that `traceparent` of a request names. */
export interface SentSpan {
  readonly id: string
  /** Set if the request itself sets the header. */
  readonly traceId?: string
}

export interface DocumentedOperation {
  /** The operationId, or `METHOD /path`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly answers: readonly DocumentedAnswer[]
}

interface DocumentedAnswer {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  /** The media types as written in the document. Empty if no content is documented. */
  readonly mediaTypes: readonly string[]
}

export interface RequestedOperation {
  readonly api: string
  readonly method: string
  readonly path: string
}

export interface AnsweredOperation extends RequestedOperation {
  /** The operationId, or `METHOD /path`. */
  readonly name: string
  /** Absent if the response has no content type. */
  readonly contentType?: string
}

interface InRun {
  readonly run: number
}

/** `block` identifies a block: a number that is unique in the run and increases in start order. */
interface InBlock extends InRun {
  readonly block: number
}

export interface BlockEntered extends InBlock {
  readonly parent?: number
  readonly iteration?: number
  /** The block's id, with the tokens of loops expanded. */
  readonly id: string
  readonly kind: BlockKind
  readonly description?: string
}

/** Events whose data becomes part of the block's report. */
interface Arrivals {
  /**
   * Reports before a request is sent that it violates its operation's contract, or why its body wasn't checked. Doesn't
   * fail the block. Emitted only if contracts are validated.
   */
  "request.checked": InBlock & { readonly problems: readonly ContractProblem[]; readonly unchecked?: string }
  /** `startMs` is when the request was sent, in milliseconds since 1970. Absent in old records. */
  "request.sent": InBlock & {
    readonly startMs?: number
    readonly request: RequestView
    readonly span?: SentSpan
  }
  /** `answers` is set if a listener asks for coverage and the request belongs to a documented operation. */
  "response.received": InBlock & {
    readonly response: ResponseView
    readonly answers?: AnsweredOperation
    /** JSON pointers to the integers beyond 2^53 in the body. Only in records of older versions, which wrote them as text. */
    readonly bigIntegers?: readonly string[]
    /** The raw text of a stream. Only in records, because a replay needs it. */
    readonly bodyText?: string
  }
  /**
   * Reports an item of a stream as soon as it arrives. `index` counts from 0, `elapsedMs` from the start of the request.
   * `item` is absent if no listener keeps exchanges.
   */
  "stream.item": InBlock & { readonly index: number; readonly elapsedMs: number; readonly item?: JsonValue }
  /** Reports in a replay how the request differs from the recorded one. */
  "request.compared": InBlock & { readonly differences: readonly RequestDifference[] }
  /** `found` is set if the response violates its contract and a listener keeps exchanges, or there is a baseline. */
  "contract.checked": InBlock & { readonly contract: ContractView; readonly found?: FoundViolations }
  "assertions.checked": InBlock & { readonly assertions: readonly AssertionView[] }
  "outputs.made": InBlock & { readonly outputs: JsonObject }
  "log.written": InBlock & { readonly text: string }
}

/** Distinguishes the runs of one session. Counts start at 1. */
export interface RunPlace {
  /** The directory of the run's project, if the session runs several projects. */
  readonly project?: string
  readonly suite?: string
  /** The name and the role of the suite's entry. */
  readonly entry?: string
  readonly role?: RunRole
  readonly row?: number
  readonly repeat?: number
  /** Set if a failed run of this entry is repeated. */
  readonly attempt?: number
}

/** The first exchange that went differently when a failed run was repeated. */
export interface ExchangeDifference {
  /** The path of the block: `poll › [2] › get`. */
  readonly block: string
  readonly first: Exchange
  readonly second: Exchange
}

/** Something that a session created and did not delete. */
export interface Leftover {
  readonly api: string
  /** The URL of the item or, if its id is unknown, of the request that created it. */
  readonly url: string
  /** The operation that created it: `POST /orders`. */
  readonly operation: string
  readonly unknown?: true
}

/** An entry of the baseline whose operation was reached, but whose violation didn't appear. */
export interface StaleViolation {
  readonly api: string
  readonly operation: string
  readonly status: number
  readonly path: string
  readonly schema: string
}

interface RunEnd {
  readonly reason?: RunSkipReason
  /** True if the run passed after failed attempts. */
  readonly flaky?: true
  readonly differs?: ExchangeDifference
}

interface RunEvents extends Arrivals {
  "run.started": InRun &
    RunPlace & {
      readonly workflow: string
      /** The time in ISO 8601. */
      readonly startedAt: string
      readonly environments: Readonly<Record<string, BoundEnvironment>>
      readonly inputs: JsonObject
      readonly recorded?: RecordedRun
      readonly trace?: RunTrace
    }
  /** Emitted once per run for each API with a document, if a listener asks for coverage. */
  "api.documented": InRun & { readonly api: string; readonly operations: readonly DocumentedOperation[] }
  /** Emitted at the end of a session that looks for leftovers. `run` is the session's first run. */
  "leftovers.found": InRun & { readonly leftovers: readonly Leftover[] }
  /** Emitted at the end of a session with a baseline, if known violations didn't appear. `run` is the session's first run. */
  "baseline.compared": InRun & { readonly stale: readonly StaleViolation[] }
  /** Sent if a listener asks for coverage: the server may have processed a request whose response didn't arrive. */
  "response.lost": InBlock & { readonly operation: RequestedOperation }
  /** Reports a traced request for the token of a block's request. `startMs` is in milliseconds since 1970. */
  "token.requested": InBlock & {
    readonly spanId: string
    readonly startMs: number
    readonly durationMs: number
    readonly method: string
    readonly url: string
    /** Absent if there was no response. */
    readonly status?: number
  }
  /** Reports a message of the inbox as soon as it is checked. Emitted only if a listener keeps exchanges. */
  "message.received": InRun & { readonly message: MessageView }
  "warning.raised": InRun & { readonly block?: number; readonly warning: Problem }
  "block.started": BlockEntered & { readonly span?: BlockSpan }
  "block.skipped": BlockEntered & { readonly reason: SkipReason }
  /** `value` is absent if no listener keeps exchanges. */
  "iteration.started": InBlock & { readonly index: number; readonly value?: JsonValue }
  "iteration.finished": InBlock & { readonly index: number; readonly status: BlockStatus }
  "block.finished": InBlock & {
    readonly status: BlockStatus
    readonly reason?: SkipReason
    readonly durationMs: number
    readonly error?: BlockError
    /** The reason why a replay can't decide whether the block passes, although it counts as passed. */
    readonly undecidable?: string
    /** The times that the block read, in milliseconds since 1970. Set in records. */
    readonly times?: readonly number[]
    /** The exchanges of a failed block: its own, or those that it read. */
    readonly exchanges?: readonly Exchange[]
  }
  "run.finished": InRun &
    RunEnd & {
      readonly status: RunStatus
      readonly durationMs: number
      readonly error?: RunError
      /** True if another attempt follows. The failure then doesn't count. */
      readonly isRetried?: true
    }
}

export type RunEventType = keyof RunEvents
export type EventOf<T extends RunEventType> = { [K in T]: { readonly type: K } & RunEvents[K] }[T]
export type RunEvent = EventOf<RunEventType>
export type Arrival = EventOf<keyof Arrivals>
export type Listener = (event: RunEvent) => void

export interface Report {
  readonly version: 1
  status: SessionStatus
  durationMs: number
  /** True for a replay of a record. */
  replayed?: true
  /** The warnings of the session. Absent if there are none. */
  warnings?: ReportWarning[]
  /** Everything that the session created and did not delete. Absent if it didn't look for leftovers. */
  leftovers?: readonly Leftover[]
  readonly runs: RunReport[]
}

export interface ReportWarning {
  readonly code: Problem["code"]
  readonly message: string
  readonly file?: string
  /** The 1-based line. `column` is 1-based too. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export interface RunReport extends RunPlace {
  readonly workflow: string
  status: RunStatus
  reason?: RunSkipReason
  flaky?: true
  differs?: ExchangeDifference
  readonly startedAt: string
  durationMs: number
  /** Set if the run was traced. */
  readonly traceId?: string
  /** The address of the trace, if `callsheet.json` has `traceUrl`. */
  readonly traceUrl?: string
  readonly environments: Readonly<Record<string, BoundEnvironment>>
  readonly inputs: JsonObject
  /**
   * `unchecked` blocks count as passed or failed, too. `known` counts the violations that the baseline lists. Both are absent
   * if there are none.
   */
  readonly counts: { passed: number; failed: number; skipped: number; unchecked?: number; known?: number }
  error?: RunError
  /** The messages of the inbox so far: their number, and the latest. Only in reports of the app. */
  arrived?: { messages: number; readonly latest: MessageView[] }
  readonly blocks: BlockReport[]
}

export interface BlockReport {
  readonly id: string
  readonly type: BlockKind
  readonly description?: string
  status: BlockStatus
  reason?: SkipReason
  durationMs: number
  /** The span of the block and, if it sent a request, the one that `traceparent` names. */
  spanId?: string
  /** The trace that the request itself names in `traceparent`, instead of that of the run. */
  traceId?: string
  /** When the request was sent, in milliseconds since 1970. Only in reports of the app. */
  startMs?: number | undefined
  /** The items of a stream so far: their number, and the latest. Only in reports of the app, until the stream ends. */
  streamed?: { items: number; readonly latest: JsonValue[] } | undefined
  request?: RequestView
  /** Contract violations of the request. They don't fail the block. */
  requestProblems?: readonly ContractProblem[]
  /** The reason why the body of the request, or a part of it, wasn't checked against its schema. */
  requestUnchecked?: string
  /** The differences between a replayed request and the recorded one. */
  requestDifference?: readonly RequestDifference[]
  response?: ResponseView
  contract?: ContractView
  assertions?: readonly AssertionView[]
  outputs?: JsonObject
  logs?: string[]
  error?: BlockError
  /** The reason why a replay can't decide whether the block passes. */
  undecidable?: string
  blocks?: BlockReport[]
  iterations?: IterationReport[]
}

export interface IterationReport {
  readonly index: number
  readonly value: JsonValue
  status: BlockStatus
  readonly blocks: BlockReport[]
}

/** A view or an event while its members are set one by one. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }
