// The parts of a drafted workflow, and what the body of a request needs from it.

import type {
  InputDeclaration,
  InstanceFile,
  JsonObject,
  JsonValue,
  TextMap,
  ValueType,
} from "@callsheet/format"
import {
  schemaType,
  type Operation,
  type Part,
  type Reference,
  type Resource,
  type Steps,
} from "@callsheet/openapi"
import type { GeneratedFile } from "./generated.ts"
import type { Ground, KnownApi } from "./ground.ts"

export interface Call {
  readonly api: KnownApi
  readonly operation: Operation
  /** The wanted id of the block. */
  readonly id: string
  /** The body to send, in place of a sample. */
  readonly body?: JsonValue | undefined
  /** The resource that the request creates, which it can't depend on. */
  readonly creates?: Resource | undefined
  /** The values of path parameters, in place of those that are inferred. */
  readonly path?: TextMap | undefined
  /** A sentence for the description. */
  readonly about?: string | undefined
}

/** An item that a request of this workflow has created or found. */
export interface Provided {
  readonly resource: Resource
  /** The path of its identifier: `create-order.response.body.id`. */
  readonly source: string
  /** The id of the block. */
  readonly block: string
  /** False for an item that was there before, which no request may change. */
  readonly isOwn: boolean
  /** What the identifier may be. Undefined if that is unknown. */
  readonly kinds: ValueType["kinds"]
}

export interface SentField {
  readonly steps: Steps
  readonly value: JsonValue
  /** What a placeholder stands for. Undefined if that is unknown. */
  readonly kinds?: ValueType["kinds"]
}

/** The body of a request: overrides of an operation, or a saved request. */
export interface DraftedBody {
  readonly overrides: JsonObject | undefined
  readonly instance: Pick<InstanceFile, "resource" | "name"> | undefined
  /** The scalar values that are sent, as templates. */
  readonly fields: readonly SentField[]
}

/** A workflow, as far as the body of a request changes it. */
export interface Draft {
  readonly ground: Ground
  readonly files: GeneratedFile[]
  /** Declares an input for what can't be decided. Returns its placeholder. */
  readonly input: (name: string, declaration: InputDeclaration) => string
  /** Returns the item that a value refers to, unless the request itself creates it. */
  readonly reference: (reference: Reference, call: Call, mayBeListed: boolean) => Provided | undefined
  readonly provided: (resource: Resource) => Provided | undefined
}

export function inputType(schema: Part | undefined): "string" | "number" | "boolean" {
  const kinds = schema && schemaType(schema, "request").kinds
  if (kinds === undefined || kinds.has("string")) return "string"
  return kinds.has("number") ? "number" : kinds.has("boolean") ? "boolean" : "string"
}

/** Returns the scalar fields of a body. */
export function fieldsOf(value: JsonValue, steps: Steps = []): readonly SentField[] {
  if (typeof value !== "object" || value === null) return steps.length === 0 ? [] : [{ steps, value }]
  if (Array.isArray(value) || steps.length > MAX_FIELD_DEPTH) return []
  return Object.entries(value as JsonObject).flatMap(([name, inner]) => fieldsOf(inner, [...steps, name]))
}

const MAX_FIELD_DEPTH = 2
