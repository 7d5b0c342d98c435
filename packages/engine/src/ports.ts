// The ports through which a run reaches the world: network, scripts, files, clock and random values.

import type { DescribeScript } from "@callsheet/language"
import type { OutlineStore } from "@callsheet/openapi"
import type { SecretBase } from "./secret-base.ts"
import type { Headers, JsonObject, JsonValue, RedirectView, Resolution } from "@callsheet/format"

export interface Ports {
  readonly http: HttpPort
  readonly scripts: ScriptPort
  readonly files: FilePort
  readonly clock: Clock
  readonly random: Random
  /** Caches outlines of large OpenAPI documents between runs. Without it, documents are read whole. */
  readonly outlines?: OutlineStore
}

export interface HttpPort {
  /** Sends one request and follows its redirects. Never throws: a failure is a value. */
  readonly send: (request: WireRequest, options: SendOptions) => Promise<SendOutcome>
  readonly close: () => void
}

export interface SendOptions {
  readonly signal: AbortSignal
  /** Called once, before the first byte is sent, with the request as the first server receives it. */
  readonly onSent: (sent: SentRequest) => void
}

/** In the form that events show. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Lower-case names, the jar's cookies included. */
  readonly headers: Headers
}

export interface WireRequest {
  /** Names the cookie jar: one per API and run. */
  readonly api: string
  readonly method: string
  /** Absolute, percent-encoded. */
  readonly url: string
  /** The secret base URL that `url` was built from, if any: events and messages don't show it. */
  readonly secretBase?: SecretBase | undefined
  /** In the order and case given; a name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Replace the jar's cookies of the same name; an empty list sends none. A name may repeat. */
  readonly cookies: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Uint8Array | undefined
  /** Total deadline: connect, TLS, sending, headers, body, decoding, redirects. */
  readonly timeoutMs: number
  /** Limit on the decoded body. */
  readonly maxResponseBytes: number
  readonly followRedirects: boolean
  readonly verifyTls: boolean
  /** Parts made from a secret, which are sent to no other origin. */
  readonly sensitive: Sensitive
}

interface Sensitive {
  /** Lower-case names. */
  readonly headers: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly body: boolean
}

export type SendOutcome =
  | { readonly ok: true; readonly response: WireResponse }
  | {
      readonly ok: false
      readonly code: "request-failed" | "request-timeout" | "too-many-redirects" | "cancelled"
      readonly message: string
      readonly hint?: string | undefined
      readonly redirects: readonly RedirectView[]
    }

export interface WireResponse {
  readonly status: number
  /** Lower-case names, repeats joined with `, `, `set-cookie` an array. */
  readonly headers: Headers
  /** Decoded of all content codings. */
  readonly body: Uint8Array
  readonly durationMs: number
  readonly redirects: readonly RedirectView[]
}

export interface ScriptPort {
  /** Parses a script without running it. `file` is absolute. */
  readonly describe: DescribeScript
  /** Calls an exported function. Never throws: a failure is a value. */
  readonly call: (call: ScriptCall) => Promise<ScriptOutcome>
  /** Prepares what the first run needs before it sends anything, such as a debugger. Throws if that fails. */
  readonly prepare?: (signal: AbortSignal | undefined) => Promise<void>
  /** Kills every script process. */
  readonly close: () => Promise<void>
}

export type ScriptKind = "assert" | "condition" | "transform" | "script"

export interface ScriptCall {
  readonly kind: ScriptKind
  /** Absolute path of the `.ts` file. */
  readonly file: string
  readonly exportName: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly context: ScriptContextData
  /** Backs the script's `get` and `has`. */
  readonly read: (path: string) => Resolution
  /** The resolved variables of an API that the workflow touches, else undefined. */
  readonly environment: (api: string) => JsonObject | undefined
  readonly log: (text: string) => void
  /** Masks a value from now on, in everything that the run shows. Returns the reason if it can't. */
  readonly secret: (value: string | number | bigint) => string | undefined
}

export interface ScriptContextData {
  readonly workflow: { readonly name: string }
  readonly block: { readonly id: string; readonly type: string; readonly description?: string }
  readonly inputs: JsonObject
  readonly iteration?: { readonly index: number; readonly value: JsonValue }
}

export type ScriptOutcome =
  /** A boolean for a `condition`, an object for a `transform`, otherwise absent. */
  | { readonly ok: true; readonly result?: JsonValue }
  | {
      readonly ok: false
      readonly code: "script-error" | "script-timeout" | "script-result" | "cancelled"
      readonly message: string
    }

export interface FilePort {
  /** Reads a file of the project; `path` is relative to the root and never leaves it. */
  readonly read: (path: string) => Promise<Uint8Array>
}

export interface Clock {
  /** Milliseconds since 1970, for people to read. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock, for durations. */
  readonly elapsed: () => number
  /** Waits; ends at once, without an error, when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Random {
  /** A whole number from 0 to `bound`, exclusive. */
  readonly integer: (bound: number) => number
  readonly uuid: () => string
}
