// The neutral form of an exported workflow: the steps of a run, with marks for the values that aren't filled in.

import type { JsonValue, OperatorName, RequestBlock, ResolvedEnvironment, Workflow } from "@callsheet/format"
import type { Reason } from "../losses.ts"

export type ExportTarget = "curl" | "har" | "postman" | "arazzo" | "k6"

/** A workflow that is ready to run. The engine builds its requests. */
export interface ExportSource {
  readonly name: string
  readonly workflow: Workflow
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly build: (block: RequestBlock, standIns: StandIns) => Promise<SourceRequest>
  /** Masks every secret in a text. */
  readonly mask: (text: string) => string
  /** Masks every secret in the name of a member. Keeps a name that only equals a short secret. */
  readonly maskName: (name: string) => string
  /** The file of each API's OpenAPI document, relative to the project's root. */
  readonly documents: ReadonlyMap<string, string>
  /** The server of each API's OpenAPI document. */
  readonly servers: ReadonlyMap<string, string>
  /** Returns the path of a project's file, relative to the exported file. */
  readonly relative: (path: string) => string
  /** Returns a new dynamic value. Undefined for an unknown name. */
  readonly generate: (name: string) => JsonValue | undefined
  readonly reveal: boolean
  /** Letters and digits that occur in no file. */
  readonly nonce: string
}

interface StandIns {
  readonly environment: ResolvedEnvironment
  readonly valueOf: (path: string) => string | undefined
  readonly contentOf: (path: string) => string
}

export type SourceRequest =
  | {
      readonly ok: true
      readonly wire: {
        readonly method: string
        readonly url: string
        readonly headers: readonly (readonly [name: string, value: string])[]
        readonly cookies: Readonly<Record<string, string | readonly string[]>>
        readonly timeoutMs: number
        readonly followRedirects: boolean
        readonly verifyTls: boolean
      }
      readonly body: string | undefined
      readonly bodyValue: JsonValue | undefined
      readonly params: Readonly<Record<ParamLocation, ReadonlyMap<string, { readonly text: string }>>>
      readonly operation:
        | { readonly name: string; readonly method: string; readonly path: string }
        | undefined
      readonly auth: { readonly kind: "oauth2" | "digest" | "sigv4"; readonly variable: string } | undefined
    }
  | { readonly ok: false; readonly message: string }

export type ParamLocation = "query" | "path" | "header" | "cookie"

/** A value that isn't filled in. */
export interface Ref {
  readonly kind: "variable" | "input" | "result" | "iterator" | "dynamic" | "file"
  /** The path in the workflow, in which marks may stand for other values. */
  readonly path: string
  /** The API of a variable. */
  readonly api?: string
  /** The name of a variable or an input. */
  readonly name?: string
  readonly value?: JsonValue | undefined
  readonly isSecret: boolean
}

/** How a value is written where it stands. `base64` is the only content of a Basic credential. */
export type Encoding = "url" | "form" | "json" | "jsonText" | "raw" | "base64"

export interface Slot {
  readonly ref: Ref
  readonly as: Encoding
}

export type Template = readonly (string | Slot)[]

export interface Field {
  readonly name: string
  readonly value: Template
}

export interface Part {
  readonly name: string
  readonly filename?: string
  readonly contentType?: string
  /** The value, or the path of a file in the project. */
  readonly content: Template | { readonly file: string }
}

export type ExportBody =
  | { readonly kind: "json" | "form" | "text"; readonly mediaType: string; readonly text: Template }
  | { readonly kind: "file"; readonly mediaType: string; readonly file: string }
  | { readonly kind: "multipart"; readonly mediaType: string; readonly parts: readonly Part[] }

export interface ExportRequest {
  readonly api: string
  readonly method: string
  readonly url: Template
  /** Includes the content type, except that of a multipart body. */
  readonly headers: readonly Field[]
  readonly cookies: readonly Field[]
  readonly body: ExportBody | undefined
  /** The body before it was encoded. Its strings are texts with marks. */
  readonly bodyValue: JsonValue | undefined
  readonly params: readonly (Field & { readonly in: ParamLocation })[]
  readonly operation: { readonly name: string; readonly method: string; readonly path: string } | undefined
  readonly auth: { readonly kind: "digest"; readonly variable: Ref } | { readonly kind: "sigv4" } | undefined
  readonly followRedirects: boolean
  readonly timeoutMs: number
  readonly verifyTls: boolean
}

export interface Check {
  readonly source: Ref
  readonly operator: OperatorName
  /** Its strings are texts with marks. */
  readonly value: JsonValue | undefined
}

interface Placed {
  /** The block's id, in which marks may stand for values. */
  readonly id: string
  readonly where: string
  readonly description: string | undefined
}

export interface RequestStep extends Placed {
  readonly kind: "send"
  readonly request: ExportRequest
}

export interface CheckStep extends Placed {
  readonly kind: "check"
  readonly checks: readonly Check[]
}

interface OutputsStep extends Placed {
  readonly kind: "outputs"
  readonly outputs: readonly { readonly name: string; readonly source: Ref }[]
}

export interface BranchStep extends Placed {
  readonly kind: "branch"
  readonly check: Check
  readonly then: readonly Step[]
  readonly otherwise: readonly Step[]
}

export interface LoopStep extends Placed {
  readonly kind: "repeat"
  readonly over:
    | { readonly mode: "times"; readonly count: number }
    | { readonly mode: "forEach"; readonly source: Ref }
    | { readonly mode: "until"; readonly until: Check; readonly max: number; readonly delayMs: number }
  readonly iterator: string | undefined
  readonly isParallel: boolean
  readonly steps: readonly Step[]
}

interface GroupStep extends Placed {
  readonly kind: "section"
  readonly steps: readonly Step[]
}

export type Step = RequestStep | CheckStep | OutputsStep | BranchStep | LoopStep | GroupStep

/** The facts about a workflow that writers may know. Like the steps, it has no secrets, except in the values of variables. */
export interface MaskedSource extends Pick<ExportSource, "documents" | "relative" | "generate" | "reveal"> {
  readonly name: string
  readonly onFailure: Workflow["onFailure"]
  readonly inputs: ReadonlyMap<string, MaskedInput>
  readonly hasOneApi: boolean
  /** The APIs whose base URL isn't the server of their document. */
  readonly movedApis: ReadonlySet<string>
}

export interface MaskedInput {
  readonly value: JsonValue
  readonly description: string | undefined
}

/** The input of every writer. */
export interface Exported {
  readonly source: MaskedSource
  readonly steps: readonly Step[]
  /** Splits a text with marks. */
  readonly split: (text: string) => readonly (string | Ref)[]
  /** Returns the values that the parts split so far use, in order. */
  readonly used: () => readonly Ref[]
  readonly lose: (where: string, what: string, reason: Reason) => undefined
}

/** Writes the steps for another tool. */
export type Writer = (exported: Exported) => { readonly text: string; readonly requests: number }
