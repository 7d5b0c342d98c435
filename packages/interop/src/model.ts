// The neutral form of an imported collection. Every reader produces it, and `carryOver` turns it into project files.

import type { InputDeclaration, JsonValue, Level } from "@callsheet/format"
import type { Reason } from "./losses.ts"
import type { Check, ResponseStep } from "./scripts/checks.ts"
import type { Text } from "./text.ts"

type SourceKind = "postman" | "bruno" | "insomnia" | "har" | "curl" | "arazzo" | "openapi"

/** An item that isn't imported completely. */
export interface Loss {
  /** The file as given, then the names of the item: `shop.json: Orders / Create order`. */
  readonly where: string
  /** The lost part, such as `header X-Id`. Never contains a value. */
  readonly what: string
  readonly reason: Reason
}

export interface Collection {
  readonly source: SourceKind
  /** The API is named after it. */
  readonly root: Folder
  /** The variables that every environment inherits. A later one replaces an earlier one of the same name. */
  readonly variables: readonly Variable[]
  readonly environments: readonly SourceEnvironment[]
  /** The OpenAPI documents that requests refer to. The first one is the collection's own. */
  readonly documents?: readonly SourceDocument[]
  readonly losses: readonly Loss[]
}

export interface SourceDocument {
  readonly name: string
  /** A URL, or a path from the directory of the source. */
  readonly url: string
}

export interface SourceEnvironment {
  readonly name: string
  /** The level, if the source says it. */
  readonly level?: Level | undefined
  readonly variables: readonly Variable[]
}

export interface Variable {
  readonly name: string
  /** A text may contain other variables. Undefined if the source declares the variable without a value. */
  readonly value: Text | number | bigint | boolean | undefined
  /** True if the source marks the variable as secret. */
  readonly isSecret?: boolean
  readonly description?: string
}

export type Item = Folder | Request

interface Placed {
  readonly name: string
  /** The item's place in the source, as in `Loss.where`. */
  readonly where: string
  readonly description?: Text | undefined
  /** Undefined inherits the authentication of the parent. */
  readonly auth?: Auth | undefined
  readonly scripts: readonly Script[]
}

export interface Folder extends Placed {
  readonly kind: "folder"
  readonly items: readonly Item[]
  /** The check of an earlier response, named by its request's place, that decides whether the requests are sent. */
  readonly condition?: { readonly check: Check; readonly after: string; readonly isNegated: boolean }
  /** The inputs of the workflow that the folder becomes. */
  readonly inputs?: Readonly<Record<string, InputDeclaration>>
  /** The paths of values that the workflow knows from its start, by the variables that stand for them. */
  readonly values?: ReadonlyMap<string, string>
  /** The variables that are the results of the workflow, by their names. */
  readonly outputs?: ReadonlyMap<string, string>
}

export interface Request extends Placed {
  readonly kind: "request"
  /** Empty if only the operation tells. */
  readonly method: string
  readonly url: Url
  readonly operation?: OperationReference
  /** The checks and variables that the source has without a script. */
  readonly steps?: readonly ResponseStep[]
  readonly retry?: Retry | undefined
  readonly headers: readonly Pair[]
  readonly body?: Body | undefined
  /** True if a script sends the request. It inherits nothing from its folders. */
  readonly isSent?: boolean
  /** The request that this one repeats, because the script of a folder sends it for each request. */
  readonly copyOf?: Request | undefined
  readonly followRedirects?: boolean | undefined
  readonly timeoutMs?: number | undefined
}

/** How often a request is sent until its response passes all checks. */
export interface Retry {
  readonly until: readonly Check[]
  readonly maxRequests: number
  readonly delayMs: number
}

/** An operation that the source names instead of a method and a URL. */
export interface OperationReference {
  /** The name of its document. */
  readonly source: string
  /** An operationId, or `METHOD /path`. */
  readonly name: string
  /** The values of path parameters. */
  readonly params: ReadonlyMap<string, Text>
  /** Strings in the payload are texts. The operation tells a missing media type. */
  readonly body: { readonly payload: JsonValue; readonly mediaType: string | undefined } | undefined
}

export interface Url {
  /** Scheme, host and port, or a variable in their place. Empty if the source gives only a path. */
  readonly base: Text
  readonly path: readonly Segment[]
  readonly query: readonly Pair[]
  /** What the query ends with, if a file contains a part of it. */
  readonly data?: readonly DataPiece[]
  /** The text that was split into these parts. */
  readonly written?: Text
}

export interface Segment {
  readonly text: Text
  /** The name of the path parameter that the source gives this segment. */
  readonly name?: string
}

export interface Pair {
  readonly name: Text
  readonly value: Text
}

export type Auth =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: Text; readonly prefix?: string }
  | { readonly kind: "basic"; readonly username: Text; readonly password: Text }
  | { readonly kind: "apiKey"; readonly in: "header" | "query"; readonly name: Text; readonly value: Text }
  /** An authentication method that callsheet doesn't support. */
  | { readonly kind: "other"; readonly name: string }

export type Body =
  | { readonly kind: "text"; readonly text: Text; readonly mediaType?: string | undefined }
  | { readonly kind: "form"; readonly fields: readonly Pair[]; readonly written?: Text }
  | { readonly kind: "multipart"; readonly parts: readonly BodyPart[] }
  | {
      readonly kind: "file"
      readonly path: string
      readonly mediaType?: string | undefined
      /** True if the source sends the file without its line breaks and null characters. */
      readonly removesBreaks?: boolean
    }
  /** Pieces of a form or text, some of which are in files. */
  | {
      readonly kind: "data"
      readonly pieces: readonly DataPiece[]
      readonly mediaType: string
      /** True if nothing separates the pieces. */
      readonly isJson: boolean
    }

/** A part of a form, a query or a text, or a file that contains it. */
export type DataPiece = (
  | { readonly text: Text }
  | { readonly file: string; readonly removesBreaks: boolean }
) & {
  /** True if the source encodes the content for a form. */
  readonly encodes?: boolean
  readonly name?: Text
}

export interface BodyPart {
  readonly name: Text
  readonly content:
    | { readonly value: Text }
    | { readonly file: string; readonly filename?: string }
    /** A file whose text is the value. */
    | { readonly textOf: string }
  readonly contentType?: string | undefined
}

export interface Script {
  readonly when: "before" | "after"
  readonly code: string
  readonly where: string
  /** The scripting API of the source, which decides how the code is read. */
  readonly dialect: "pm" | "bru" | "insomnia"
  /** The part of a script that this one is made of, for people, and what isn't in its code. */
  readonly madeOf?: { readonly code: string; readonly untranslated: readonly string[] } | undefined
}
