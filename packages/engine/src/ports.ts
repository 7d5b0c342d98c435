// The ports through which a run uses the outside world: network, scripts, files, clock and random numbers.

import type { CheckFile, DescribeScript } from "@callsheet/language"
import type { KnownExchange, OpenApiDocument, Operation, OutlineStore } from "@callsheet/openapi"
import type { UnresolvedReason } from "./messages.ts"
import type { ReadBody } from "./request/read-body.ts"
import type { Masker } from "./outlet/mask.ts"
import type { SecretBase } from "./outlet/secret-base.ts"
import type {
  AnsweredOperation,
  BoundService,
  CheckName,
  ContractView,
  FoundViolations,
  EventOf,
  FailureCode,
  Finding,
  Headers,
  JsonObject,
  JsonValue,
  MessageView,
  MockSettings,
  Problem,
  RedirectView,
  RequestDifference,
  RowInputs,
  RowOrProblem,
  RunPlace,
  SecretReference,
  SnapshotFile,
  StreamEnding,
  UserFile,
} from "@callsheet/format"

export interface Ports {
  readonly http: HttpPort
  readonly scripts: ScriptPort
  readonly files: FilePort
  readonly clock: Clock
  readonly random: Random
  /** Caches outlines of large OpenAPI documents between runs. If absent, documents are read in full. */
  readonly outlines?: OutlineStore
  /** Returns the problems of secrets files that git tracks or doesn't ignore. `files` are relative to the root. */
  readonly findExposedSecrets?: (files: readonly string[]) => Promise<readonly Problem[]>
  /** The user-level file. Absent if the user has none. */
  readonly user?: UserPort
  /** Authorizes requests. If absent, only fixed credentials are sent. */
  readonly auth?: AuthPort
  /** Opens the ports of one run. If absent, runs share these ports, but not their cookies. */
  readonly forRun?: (place: PortsPlace) => Ports
  /** Set while a run is recorded or repeats a record. */
  readonly generated?: Generated
  /** Set if the run repeats an earlier one. */
  readonly earlier?: EarlierPort
  /** Set if the run compares responses with their snapshots. */
  readonly snapshots?: SnapshotPort
  /** Starts the servers that stand in for APIs. If absent, runs that need one are refused. */
  readonly services?: ServicePort
}

/** Starts servers on loopback, in this process, so that none outlives it. */
export interface ServicePort {
  /** Opens a service for one run. Throws a `CallsheetError` if that isn't possible. */
  readonly open: (order: ServiceOrder) => Promise<OpenService>
}

export interface ServiceOrder {
  /** The API that the service stands in for. */
  readonly api: string
  readonly is: BoundService["is"]
  readonly inbox: InboxOrder
  readonly mock: MockOrder
  /** Returns whether a text contains a secret, which the service must not quote. */
  readonly isSecret: (text: string) => boolean
  /** Receives an unexpected error of the server. */
  readonly onBug: (error: unknown) => void
}

export interface InboxOrder {
  /** The port to listen on. By default, any free one. */
  readonly port: number | undefined
  /** The address under which others reach the port. */
  readonly url: string | undefined
  readonly senders: readonly MessageSender[]
}

export interface MockOrder {
  /** Absent if the API has none. */
  readonly document: OpenApiDocument | undefined
  readonly settings: MockSettings
}

/** An API that may send messages to the inbox. */
export interface MessageSender {
  readonly document: OpenApiDocument
  /** The operations that the workflow calls. Empty if placeholders choose them. */
  readonly operations: readonly Operation[]
}

export interface OpenService {
  /** The base URL for others, which the variable `baseUrl` has during the run. */
  readonly baseUrl: string
  /** The base URL of the run's own requests. */
  readonly address: string
  /** Set if it is the inbox. */
  readonly inbox?: OpenInbox | undefined
  readonly close: () => Promise<void>
}

export interface OpenInbox {
  /** The part of its URLs that nobody may guess. */
  readonly secret: string
  /** Learns from an exchange where its operation calls back. */
  readonly onExchange: (exchange: KnownExchange) => void
  /** Returns the messages that the workflow hasn't deleted, oldest first. */
  readonly arrived: () => Iterable<Pick<MessageView, "method" | "path">>
  /** Passes on each message as soon as it is checked, also those that nobody watched. Returns how to stop. */
  readonly watch: (onMessage: (message: MessageView) => void) => () => Promise<void>
}

export interface SnapshotPort {
  /** Returns the snapshot of a request block. Called when the block starts, because blocks with the same id are counted. */
  readonly open: (id: string) => ExpectedResponse
  /** The places whose differences are noise in every snapshot. */
  readonly ignore: readonly string[]
}

export interface ExpectedResponse {
  /** The path of the file, which may not exist. */
  readonly file: string
  /** Undefined if the file doesn't exist. */
  readonly stored: SnapshotFile | undefined
}

export interface Generated {
  readonly seed: number
  /** False if no further attempt of the run is recorded. */
  readonly hasRetry?: boolean | undefined
  readonly openTimes: (block: number) => BlockTimes
}

export interface BlockTimes {
  /** The times that the block has read. Absent until the first one, because most blocks read none. */
  read?: number[]
  /** The times that the block reads, if they come from a record. */
  readonly recorded?: readonly number[] | undefined
  /** The time to read after the last recorded one. */
  readonly now: () => number
}

/** The run that ports are opened for. */
export interface PortsPlace extends RunPlace {
  readonly workflow: string
}

export interface AuthPort {
  /** Sends a request with its authorization, and once more if the server refuses that. Never throws. */
  readonly send: (request: WireRequest, auth: RequestAuth, by: AuthSender) => Promise<SendOutcome>
  /**
   * Lets the user log in, unless that has happened before. Without a user, requests a token and keeps it like that of a
   * login. Resolves to undefined, or to why it failed.
   */
  readonly logIn: (auth: OAuthAuth, by: LoginSender) => Promise<Finding<"login-required"> | undefined>
}

export interface LoginSender extends Pick<AuthSender, "keepSecret"> {
  /** Returns whether a text contains a secret, which the URL of the login page must not show. */
  readonly isSecret: (text: string) => boolean
  /** Shows the URL of the login page to the user. */
  readonly onUrl: (url: string) => void
  /** Receives an unexpected error of the server that waits for the login. */
  readonly onBug: (error: unknown) => void
  /** The origins that the token is sent to. An earlier login counts only for its own. */
  readonly origins: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number | undefined
}

export type OAuthAuth = Extract<RequestAuth, { readonly kind: "oauth2" }>

/** How an authorized request is sent. */
export interface AuthSender extends Pick<SendOptions, "signal"> {
  readonly send: (request: WireRequest) => Promise<SendOutcome>
  /** Masks a value in all output of the run. */
  readonly keepSecret: (value: string, name: string) => void
  /** Set if requests for tokens are traced. */
  readonly openSpan?: SpanOpener | undefined
}

/** Opens the span of a request. Returns the request with the headers that carry it. */
export type SpanOpener = (request: WireRequest) => {
  readonly request: WireRequest
  readonly end: (outcome: SendOutcome) => void
}

/** The authorization of a request, as variables and the document's scheme define it. */
export type RequestAuth =
  | {
      readonly kind: "oauth2"
      readonly client: OAuthClient
      /** Requests with the same key share a token. */
      readonly key: string
      /** The scheme in messages: `shop.oauth`. */
      readonly name: string
      /** The start of its variables' names. */
      readonly variables: string
      /** Set if messages must not show the URL of the token endpoint. */
      readonly secretBase: SecretBase | undefined
    }
  | { readonly kind: "digest"; readonly user: string; readonly password: string }
  | {
      readonly kind: "sigv4"
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken: string | undefined
      readonly region: string | undefined
      readonly service: string
    }

/** An OAuth client. Texts come from variables and aren't checked. */
export type OAuthClient = KnownClient | UnknownClient

/** A client whose endpoints are known. */
export interface KnownClient extends ClientFacts {
  readonly tokenUrl: string
  readonly discovery?: undefined
}

/** A client whose provider's discovery document must be read first. */
export interface UnknownClient extends ClientFacts {
  /** Set by a variable, which overrides the discovery document. */
  readonly tokenUrl: string | undefined
  readonly discovery: {
    /** Absolute and normalized. */
    readonly url: string
    /** The URL as in the API's document. It may be relative. */
    readonly written: string
    /** The methods that the variables allow, in the order of preference. */
    readonly methods: readonly string[]
  }
}

interface ClientFacts {
  readonly grant: string
  readonly refreshUrl: string | undefined
  readonly authorizationUrl: string | undefined
  /** The method by which the client authenticates to the token endpoint (RFC 7591 section 2). */
  readonly method: string
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  readonly refreshToken: string | undefined
  /** In PEM format. */
  readonly privateKey: string | undefined
  readonly keyId: string | undefined
  readonly scope: string
  readonly environment: string
  readonly verifyTls: boolean
}

export interface UserPort {
  /** Reads the user-level file once. Its problems keep runs from starting. */
  readonly open: () => Promise<OpenedUserFile>
  /** Returns the certificates of an origin. The file must be open. */
  readonly certificateOf: CertificateFinder
  /** Resolves references, in the same order. Never throws. */
  readonly resolve: (
    references: readonly SecretReference[],
    signal: AbortSignal | undefined,
  ) => Promise<readonly ResolvedReference[]>
}

/** A secret value and its name. Never part of an event. */
export interface RunSecret {
  /** The variable (`shop.apiKey`), or the path from which the secret was captured (`signin.response.body.token`). */
  readonly name: string
  readonly value: string | number | bigint | boolean
}

export interface OpenedUserFile {
  /** The path of the file in messages. */
  readonly shown: string
  readonly problems: readonly Problem[]
  /** Passphrases, which are masked. */
  readonly secrets: readonly RunSecret[]
  readonly user?: { readonly folder: string; readonly resolvers: NonNullable<UserFile["resolvers"]> }
  readonly certificateOf?: CertificateFinder
}

export type CertificateFinder = (
  origin: string,
  environment: string | undefined,
) => ClientCertificate | undefined

/** The settings that the user-level file adds to TLS connections to an origin. */
export interface ClientCertificate {
  readonly cert?: Buffer | undefined
  readonly key?: Buffer | undefined
  readonly pfx?: Buffer | undefined
  readonly passphrase?: string | undefined
  /** Authorities to trust in addition to the system's. */
  readonly ca?: Buffer | undefined
  /** The reason why a file can't be read. The request then fails. */
  readonly fault?: Finding<"request-failed">
}

export type ResolvedReference = { readonly value: string } | { readonly reason: UnresolvedReason }

export interface HttpPort {
  /** Sends one request and follows its redirects. Never throws, but returns a failure. */
  readonly send: (request: WireRequest, options: SendOptions) => Promise<SendOutcome>
  /** Returns a port with the same connections and empty cookie jars, for another run. */
  readonly withOwnCookies: () => HttpPort
  readonly close: () => void
}

export interface SendOptions {
  readonly signal: AbortSignal
  /** The number of the block that sends the request. Absent for a request of the engine's own. */
  readonly block?: number | undefined
  /** Called once, before the first byte is sent, with the request that the first server receives. */
  readonly onSent: (sent: SentRequest) => void
  /** Called with each item of a stream when it arrives. Only if the request has `streams`. */
  readonly onItem?: ((item: ReceivedItem) => void) | undefined
}

/** An item of a stream, before the response ends. */
export interface ReceivedItem {
  readonly index: number
  readonly value: JsonValue
  /** The time since the start of the request, in milliseconds. */
  readonly elapsedMs: number
  readonly response: Pick<PartialResponse, "status" | "headers">
}

/** What ends a stream that the server doesn't end. */
export interface StreamLimits {
  /** The time without data after the first item, in milliseconds. */
  readonly idleMs: number
  readonly maxItems: number
  /** The names of events and the texts of items that end a stream. */
  readonly until: ReadonlySet<string>
}

/** A request as events show it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** The headers under lowercase names, including cookies from the jar. */
  readonly headers: Headers
}

export interface WireRequest {
  /** The API, which selects the cookie jar. */
  readonly api: string
  readonly method: string
  /** The absolute, percent-encoded URL. */
  readonly url: string
  /** The secret base URL of `url`, if there is one. Events and messages don't show it. */
  readonly secretBase?: SecretBase | undefined
  /** The headers in the given order and case. A name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Cookies that replace those of the same name in the jar. An empty list sends none. A name may repeat. */
  readonly cookies: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Uint8Array | undefined
  /** The limit in milliseconds for everything: connecting, TLS, sending, headers, body, decoding and redirects. */
  readonly timeoutMs: number
  /** The maximum size of the decoded body in bytes. */
  readonly maxResponseBytes: number
  /** Set if a stream is read item by item. Otherwise its body is read like any other. */
  readonly streams?: StreamLimits | undefined
  readonly followRedirects: boolean
  readonly verifyTls: boolean
  /** The environment, which selects the certificates in the user-level file. */
  readonly environment?: string | undefined
  /** True if the headers of a trace were added. They are never sent to another origin. */
  readonly isTraced?: boolean | undefined
  /** The parts built from a secret. They are never sent to another origin. */
  readonly sensitive: Sensitive
}

interface Sensitive {
  /** Lowercase names. */
  readonly headers: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly body: boolean
}

export type SendOutcome =
  | {
      readonly ok: true
      readonly response: WireResponse
    }
  | {
      readonly ok: false
      readonly code: FailureCode | "cancelled"
      readonly message: string
      readonly hint?: string | undefined
      readonly redirects: readonly RedirectView[]
      /** True if the server may have processed the request, because all of it was written. */
      readonly isSent?: boolean | undefined
      /** The received part of the response. Absent until its headers arrive. */
      readonly partial?: PartialResponse | undefined
    }

/** Knows the requests of an earlier run. */
export interface EarlierPort {
  /** Compares a request with the earlier one. Called once its response is there. Undefined if the earlier one had none. */
  readonly compare: (request: ComparedRequest) => Comparison | undefined
}

export interface ComparedRequest {
  readonly block: number
  readonly api: string
  /** The operation whose contract the run checks. */
  readonly operation: Pick<AnsweredOperation, "method" | "path"> | undefined
  /** True if the request requires a token or a signature. */
  readonly isAuthorized: boolean
  readonly secrets: Masker
}

export interface Comparison {
  readonly differences: readonly RequestDifference[]
  /** The reason why the differences fail the block. */
  readonly failure?: Finding<FailureCode> | undefined
  /** The earlier verdicts, if the same contract applies to the same request. */
  readonly verdicts?: Verdicts | undefined
}

export interface Verdicts {
  readonly request: Pick<EventOf<"request.checked">, "problems" | "unchecked">
  readonly response: ContractView
  readonly found?: FoundViolations | undefined
}

export interface PartialResponse {
  readonly status: number
  /** The headers under lowercase names. Repeated headers are joined with `, `, but `set-cookie` is an array. */
  readonly headers: Headers
  /** The number of received bytes, before decoding. `start` is set if they can't be decoded. */
  readonly body: { readonly length: number; readonly start?: Uint8Array | undefined }
  readonly durationMs: number
  readonly redirects: readonly RedirectView[]
  /** Set for a stream that ended. */
  readonly stream?: EndedStream | undefined
}

export interface EndedStream {
  readonly endedBy: StreamEnding
  readonly items: number
}

export interface WireResponse extends PartialResponse {
  /** What is wrong with the response, although it could be read. */
  readonly warnings?: readonly Finding[] | undefined
  /** The decoded body. A recorded one, or that of a stream, is already parsed. */
  readonly body: Uint8Array | { readonly length: number; readonly parsed: ReadBody }
}

export interface ScriptPort {
  /** Parses a script without running it. `file` is an absolute path. */
  readonly describe: DescribeScript
  /** Calls an exported function. Never throws, but returns a failure. */
  readonly call: (call: ScriptCall) => Promise<ScriptOutcome>
  /** Makes scripts ready before a run sends anything. For example, waits for a debugger. Throws if that fails. */
  readonly warmUp?: (signal: AbortSignal | undefined) => Promise<void>
  /** Kills every script process. */
  readonly close: () => Promise<void>
}

export type ScriptKind = "assert" | "condition" | "transform" | "script"

/** Answers `ctx.expect`. */
export interface CheckPort {
  /** Returns the value that `ctx.expect` received: the value at a path, or the argument itself. */
  readonly subject: (argument: JsonValue | undefined, text: string | undefined) => JsonValue | undefined
  /** Decides a check of `ctx.expect`. */
  readonly check: (check: ScriptCheck) => Promise<ScriptVerdict>
}

export interface ScriptCall extends CheckPort {
  readonly kind: ScriptKind
  /** The absolute path of the `.ts` file. */
  readonly file: string
  readonly exportName: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly context: ScriptContextData
  readonly world?: ScriptWorld | undefined
  /** The secret variables of each API. Set if `readsUnknown` must report that the script reads one. */
  readonly withheld?: ReadonlyMap<string, readonly string[]> | undefined
  /** Reads a value for `get` and `has` of the script. */
  readonly read: (
    path: string,
  ) => { readonly found: true; readonly value: JsonValue } | { readonly found: false }
  /** Returns the variables of an API. Undefined if the workflow doesn't use the API. */
  readonly environment: (api: string) => JsonObject | undefined
  readonly log: (text: string) => void
  /** Masks a value from now on in all output of the run. Returns the reason if that isn't possible. */
  readonly secret: (value: string | number | bigint) => string | undefined
}

/** A check that a script makes with `ctx.expect`. */
export interface ScriptCheck {
  /** The argument of `expect`, which may be a path. */
  readonly subject: JsonValue | undefined
  readonly name: CheckName
  readonly isNot: boolean
  readonly expected?: JsonValue
  /** The API whose document has the schema. */
  readonly api?: string | undefined
  /** The verdict, if the script process made the check. */
  readonly decided?: boolean | string
  /** The argument of `expect` in the script. */
  readonly text?: string
  readonly place?: { readonly file: string; readonly line: number; readonly column: number }
}

export type ScriptVerdict =
  | { readonly is: "passed" }
  /** A refused check can't be made. The script receives the reason as an error. */
  | { readonly is: "failed" | "refused"; readonly reason: string }

/** The clock and the random numbers that a script of a recorded or repeated run sees. */
export interface ScriptWorld {
  /** The seed of `Math.random`. */
  readonly seed: string
  /** The time at the start, in milliseconds since 1970. */
  readonly startedAt: number
  /** Set if the call repeats an earlier one. It then can't reach the network or start processes. */
  readonly earlier?: {
    readonly times: readonly number[]
    /** The text that stands for unknown parts of values. */
    readonly unknown: string
  }
}

export interface ScriptContextData {
  readonly workflow: { readonly name: string }
  readonly block: { readonly id: string; readonly type: string; readonly description?: string }
  readonly inputs: JsonObject
  readonly iteration?: { readonly index: number; readonly value: JsonValue }
}

export type ScriptOutcome = ScriptFacts & ScriptEnd

interface ScriptFacts {
  /** The times that the script read, if it has a world of its own. */
  readonly times?: readonly number[] | undefined
  /** True if the script read an unknown value or a withheld variable. */
  readonly readsUnknown?: boolean | undefined
}

type ScriptEnd =
  /** `result` is a boolean for a `condition` and an object for a `transform`. Otherwise, it is absent. */
  | {
      readonly ok: true
      readonly result?: JsonValue
      /** What the function returned, if nothing reads it although its author may expect that. */
      readonly ignored?: { readonly kind: "assert" | "script"; readonly returned: string }
      /** True if the script is an imported one that nobody has translated yet. */
      readonly isUntranslated?: true
    }
  | {
      readonly ok: false
      readonly code: "script-error" | "script-timeout" | "script-result" | "cancelled"
      readonly message: string
    }

export interface FilePort {
  /** Returns the problem with a file of the project, if any. Absent if a run doesn't check files before it starts. */
  readonly check?: CheckFile
  /** Reads a file of the project. `path` is relative to the root and can't leave it. */
  readonly read: (path: string) => Promise<Uint8Array>
  /** Opens a data file. Never throws. */
  readonly openRows: (file: DataFile) => Promise<RowSource>
}

/** A file whose rows are inputs. */
export interface DataFile {
  readonly path: string
  /** The directory that `path` is relative to. If absent, the file must be in the project. */
  readonly cwd?: string | undefined
}

export interface RowSource {
  /** Checks all rows. Returns the problems, or the number of rows. */
  readonly check: (
    inputs: RowInputs,
  ) => Promise<{ readonly problems: readonly Problem[]; readonly count: number }>
  /** Yields the checked rows. If the file has changed since the check, the last item is a problem. */
  readonly rows: (inputs: RowInputs) => AsyncIterable<RowOrProblem>
}

export interface Clock {
  /** Returns milliseconds since 1970, for timestamps that people read. */
  readonly now: () => number
  /** Returns milliseconds of a monotonic clock, for durations. */
  readonly elapsed: () => number
  /** Waits. If the signal aborts, resolves immediately without an error. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Random {
  /** Returns an integer from 0 to `bound` - 1. */
  readonly integer: (bound: number) => number
  readonly uuid: () => string
}
