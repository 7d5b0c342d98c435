// What a change between two documents is: its kind, its place, its facts, and what it may break in theory.

import type { JsonValue } from "@callsheet/format"
import type { Parameter } from "../document/parameters.ts"

/**
 * Which clients a change may break: those that call the operation at all, that send the value, that leave it out, that
 * read it, or that refer to it by its name, as generated code and projects do.
 */
export type Breaks = "calls" | "sends" | "omits" | "reads" | "names"

interface OperationFacts {
  readonly operationId?: string | undefined
  /** The operation of the other document that has the same operationId: `GET /v2/orders`. */
  readonly sameId?: string | undefined
}

interface SuggestedValues {
  readonly default?: JsonValue | undefined
  readonly example?: JsonValue | undefined
}

export interface ParameterFacts extends SuggestedValues {
  readonly in: Parameter["in"]
  readonly name: string
  readonly required: boolean
}

export interface PropertyFacts extends SuggestedValues {
  readonly name: string
  /** Whether the property is required, or was if it is gone. */
  readonly required: boolean
  /** Whether the object of the new document allows properties that it doesn't list. */
  readonly isOpen: boolean
  /** True if the property is still listed, but only for the other direction: `readOnly` or `writeOnly`. */
  readonly isOtherDirection?: boolean | undefined
}

interface FromTo<T> {
  readonly from: T
  readonly to: T
}

export interface Removed {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

interface EnumFacts {
  readonly removed: readonly JsonValue[]
  readonly added: readonly JsonValue[]
  /** True if the old schema listed no values, so that it allowed any. */
  readonly wasOpen: boolean
  /** True if the new schema lists no values. */
  readonly isOpen: boolean
}

export interface LimitFacts {
  /** The keyword, such as `maxLength`, `pattern` or `uniqueItems`. */
  readonly keyword: string
  /** The limits. Undefined without a limit. */
  readonly from: JsonValue | undefined
  readonly to: JsonValue | undefined
  /** Whether the new limit allows fewer values, more, or others. */
  readonly effect: "narrows" | "widens" | "shifts"
}

interface StatusFacts {
  readonly status: string
  /** The range or `default` of the other document that includes the status. */
  readonly coveredBy?: string | undefined
}

/** The facts of each kind of change. */
export interface FactsByKind {
  "operation-removed": OperationFacts
  "operation-added": OperationFacts
  /** The same method and path with another operationId. */
  "operation-renamed": FromTo<string | undefined> & { readonly resources: FromTo<readonly string[]> }
  "resource-changed": FromTo<readonly string[]>
  "parameter-added": ParameterFacts
  "parameter-removed": ParameterFacts
  "parameter-required": ParameterFacts
  "parameter-optional": ParameterFacts
  /** A path parameter with another name in the same place of the path. */
  "parameter-renamed": FromTo<string>
  /** The parameter's value is written differently into the request, by `style`, `explode` or `content`. */
  "serialization-changed": FromTo<string>
  "body-added": { readonly required: boolean }
  "body-removed": { readonly required: boolean }
  "body-required": { readonly required: true }
  "body-optional": { readonly required: false }
  "property-added": PropertyFacts
  "property-removed": PropertyFacts
  "property-required": PropertyFacts
  "property-optional": PropertyFacts
  /** The types in alphabetical order, without `null`. Empty if any type is allowed. */
  "type-changed": FromTo<readonly string[]>
  "enum-changed": EnumFacts
  "format-changed": FromTo<string | undefined>
  "limit-changed": LimitFacts
  "nullable-changed": { readonly nullable: boolean }
  "additional-properties-changed": { readonly allowed: boolean }
  /** A branch of `oneOf` or `anyOf`, by its name or its position. */
  "variant-added": { readonly name: string }
  "variant-removed": { readonly name: string }
  "discriminator-changed": FromTo<string | undefined>
  /** Another keyword, which is only compared as a whole: `not`, `if`, `contains`. */
  "schema-changed": { readonly keyword: string }
  "status-added": StatusFacts
  "status-removed": StatusFacts
  "media-type-added": { readonly mediaType: string }
  "media-type-removed": { readonly mediaType: string }
  "header-changed": {
    readonly name: string
    readonly what: "added" | "removed" | "required" | "optional"
    readonly required: boolean
  }
  /** Alternatives, each as one text: `apiKey X-Key in header + oauth2 (read)`. */
  "security-changed": Removed
  "server-changed": Removed
}

export type ChangeKind = keyof FactsByKind

export type Side = "request" | "response" | "document"

/** A change of one schema, wherever operations use it. */
export type SchemaChange<K extends ChangeKind = ChangeKind> = { [P in K]: SchemaChangeOf<P> }[K]

interface SchemaChangeOf<K extends ChangeKind> {
  readonly kind: K
  readonly facts: FactsByKind[K]
  /** Which clients the change may break. Undefined if it is compatible for every client. */
  readonly breaks: Breaks | undefined
  /** The places in the two documents, in the format of `Part.pointer`. Undefined if the document has no such place. */
  readonly before: string | undefined
  readonly after: string | undefined
}

interface ChangePlace {
  /** The operation of the new document or, if it is gone, of the old one: `POST /orders`. `*` for the whole document. */
  readonly operation: string
  readonly side: Side
  /**
   * `/query/page`, `/path/id`, `/headers/x`, `/cookies/sid`, `/body/items/*`, `/status`, `/security` or `/servers`. A
   * `*` is any array item or any property that the schema doesn't list; a property named `*` is `~2`. Empty for the
   * operation itself.
   */
  readonly path: string
  /** The documented status of a response: `200`, `4XX` or `default`. */
  readonly status?: string | undefined
  /** The first of the media types whose body has the change. */
  readonly mediaType?: string | undefined
  /** Every media type of the request or response whose body has the change. */
  readonly mediaTypes?: readonly string[] | undefined
}

/**
 * A change in one operation. Changes of one schema in several operations share the same `facts` object, so a list can be
 * grouped by it.
 */
export type Change<K extends ChangeKind = ChangeKind> = {
  [P in K]: SchemaChangeOf<P> &
    ChangePlace & {
      /** What changed, without the operation. */
      readonly message: string
      /**
       * Returns whether the change is also at another path. `path` is only the shortest one to a schema that several
       * properties or recursion lead to. Array indexes and names of unlisted properties need not be `*`.
       */
      readonly isAt: (path: string) => boolean
    }
}[K]
