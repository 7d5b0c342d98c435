// RunEvent: everything that a run says. Plain JSON. The session's outlet masks secrets before anybody hears an event.

import type { JsonObject, JsonValue } from "../json/value.ts"
import type { FailureCode, Problem, ProblemCode } from "../problems.ts"
import type { OperatorName } from "../workflow/operators.ts"
import type { BlockKind } from "../workflow/types.ts"

export type BlockStatus = "passed" | "failed" | "skipped"
export type RunStatus = "passed" | "failed" | "error"
export type SkipReason = "branch" | "halted" | "cancelled"
export type Level = "production" | "staging" | "local"

/** What a request looked like on the wire, as far as a reader may see it. */
export interface RequestView {
  readonly method: string
  readonly url: string
  readonly headers?: Headers
  /** The body as a value: JSON as JSON, text as a string, parts of a form by name. */
  readonly body?: JsonValue
}

export interface ResponseView {
  readonly status: number
  readonly headers?: Headers
  readonly body?: JsonValue
  readonly durationMs: number
  /** Bytes of the body as received, after decoding of content codings. */
  readonly sizeBytes: number
  readonly redirects?: readonly RedirectView[]
}

/** Lower-case names; `set-cookie` is an array. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

export interface RedirectView {
  readonly status: number
  readonly url: string
  /** What was not sent on to another origin: `header authorization`, `cookie sid`. */
  readonly dropped?: readonly string[]
}

export interface ContractView {
  readonly status: "passed" | "failed" | "unavailable"
  readonly problems: readonly ContractProblem[]
}

export interface ContractProblem {
  /**
   * JSON pointer into the response: `/status`, `/headers/etag`, `/body/items/0/price`. Of a request: `/query/limit`,
   * `/path/id`, `/headers/x-tenant`, `/cookies/sid`, `/body/items/0/sku`.
   */
  readonly path: string
  readonly message: string
  /** What is broken: its JSON pointer in `file`, a file of the OpenAPI document, and its line there. */
  readonly schema?: string
  readonly file?: string
  readonly line?: number
}

export interface AssertionView {
  readonly source: string
  readonly operator: OperatorName
  readonly expected?: JsonValue
  readonly actual?: JsonValue
  readonly status: "passed" | "failed"
  readonly message?: string
}

export interface BlockError {
  readonly code: FailureCode | ProblemCode
  readonly message: string
  readonly hint?: string
}

export interface RunError {
  readonly code: ProblemCode
  readonly message: string
  readonly problems: readonly Problem[]
}

/** An exchange that a failed block looked at, with bodies cut to a length that a terminal can show. */
export interface Exchange {
  readonly block: string
  readonly request: RequestView
  readonly response?: ResponseView
}

export interface BoundEnvironment {
  readonly name: string
  readonly level: Level
}

/** An operation that a document has, with the answers that it documents. */
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
  /** As the document writes them; none where no content is documented. */
  readonly mediaTypes: readonly string[]
}

/** Which operation of which API a response answers. */
export interface AnsweredOperation {
  readonly api: string
  readonly method: string
  readonly path: string
  /** Absent where the response has none. */
  readonly contentType?: string
}

/** Blocks are named by `block`: a number that is unique in the run and rises in the order of their starts. */
export type RunEvent =
  | {
      readonly type: "run.started"
      readonly run: number
      readonly workflow: string
      /** ISO 8601. */
      readonly startedAt: string
      readonly environments: Readonly<Record<string, BoundEnvironment>>
      readonly inputs: JsonObject
    }
  | {
      /** Where a listener asks for coverage: once a run for each of its APIs that has a document. */
      readonly type: "api.documented"
      readonly run: number
      readonly api: string
      readonly operations: readonly DocumentedOperation[]
    }
  | {
      readonly type: "warning.raised"
      readonly run: number
      readonly block?: number
      readonly warning: Problem
    }
  | ({ readonly type: "block.started" } & BlockEntered)
  | ({ readonly type: "block.skipped"; readonly reason: SkipReason } & BlockEntered)
  | {
      /** Where contracts are validated and a request breaks its operation's, before it is sent: a warning, which fails nothing. */
      readonly type: "request.checked"
      readonly run: number
      readonly block: number
      readonly problems: readonly ContractProblem[]
    }
  | {
      readonly type: "request.sent"
      readonly run: number
      readonly block: number
      readonly request: RequestView
    }
  | {
      readonly type: "response.received"
      readonly run: number
      readonly block: number
      readonly response: ResponseView
      /** Where a listener asks for coverage, and the request is of a documented operation. */
      readonly answers?: AnsweredOperation
    }
  | {
      readonly type: "contract.checked"
      readonly run: number
      readonly block: number
      readonly contract: ContractView
    }
  | {
      readonly type: "assertions.checked"
      readonly run: number
      readonly block: number
      readonly assertions: readonly AssertionView[]
    }
  | {
      readonly type: "outputs.made"
      readonly run: number
      readonly block: number
      readonly outputs: JsonObject
    }
  | { readonly type: "log.written"; readonly run: number; readonly block: number; readonly text: string }
  | {
      readonly type: "iteration.started"
      readonly run: number
      readonly block: number
      readonly index: number
      /** Absent where no listener keeps exchanges. */
      readonly value?: JsonValue
    }
  | {
      readonly type: "iteration.finished"
      readonly run: number
      readonly block: number
      readonly index: number
      readonly status: BlockStatus
    }
  | {
      readonly type: "block.finished"
      readonly run: number
      readonly block: number
      readonly status: BlockStatus
      readonly reason?: SkipReason
      readonly durationMs: number
      readonly error?: BlockError
      /** Failed blocks only: the exchanges that the failure is about. */
      readonly exchanges?: readonly Exchange[]
    }
  | {
      readonly type: "run.finished"
      readonly run: number
      readonly status: RunStatus
      readonly durationMs: number
      readonly error?: RunError
    }

export interface BlockEntered {
  readonly run: number
  readonly block: number
  /** The container around the block; absent at the top level. */
  readonly parent?: number
  /** The iteration of the parent, where the parent is a loop. */
  readonly iteration?: number
  /** With the tokens of loops filled in. */
  readonly id: string
  readonly kind: BlockKind
  readonly description?: string
}

export type RunEventType = RunEvent["type"]
export type EventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>
export type Listener = (event: RunEvent) => void
