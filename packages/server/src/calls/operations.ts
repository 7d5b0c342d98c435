// Calls that describe an operation of a document, and the types that scripts can read.

import { shapes, type JsonValue, type ValueKind } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api, text, workflow } from "./names.ts"
import type { OperationView } from "./project.ts"

const { object, optional, required } = shapes

export const operationCalls = {
  /**
   * Describes an operation. The input names it as a request block does. Reads only the needed parts of the document.
   */
  "operations.read": call(
    object({
      api,
      operation: required(text, "An operationId, or `METHOD /path`."),
      resource: optional(text, "The resource, if several operations have this name."),
    }),
    answer<OperationDetail>(),
  ),
}

export interface OperationDetail extends OperationView {
  readonly description?: string | undefined
  readonly parameters: readonly ParameterView[]
  readonly body?: BodyTypeView | undefined
  readonly responses: readonly ResponseTypeView[]
  /** Alternatives, each with the schemes that it requires. An empty alternative requires none. */
  readonly security: readonly (readonly SecurityView[])[]
}

export interface SecurityView {
  readonly kind: "apiKey" | "bearer" | "basic" | "digest" | "sigv4" | "unsupported"
  readonly name: string
  /** The location of the key in a request, such as `header X-Key`. Only for `apiKey`. */
  readonly carriedBy?: string | undefined
}

export type ParameterPlace = "path" | "query" | "header" | "cookie"

export interface ParameterView extends NamedField {
  readonly in: ParameterPlace
}

export interface BodyTypeView {
  readonly required: boolean
  readonly mediaType: string
  readonly mediaTypes: readonly string[]
  readonly type: FieldView
  readonly example?: JsonValue | undefined
}

export interface ResponseTypeView {
  /** A status such as `200`, `4XX` or `default`. */
  readonly status: string
  readonly description?: string | undefined
  readonly headers: readonly string[]
  readonly body?: FieldView | undefined
}

export interface FieldView {
  /** The type as shown: `string`, `integer or null`, `array of Book`. Empty if it is unknown. */
  readonly words: string
  readonly kinds?: readonly ValueKind[] | undefined
  readonly description?: string | undefined
  readonly values?: readonly JsonValue[] | undefined
  readonly fields?: readonly NamedField[] | undefined
  readonly items?: FieldView | undefined
  readonly isCut?: boolean | undefined
}

export interface NamedField extends FieldView {
  readonly name: string
  readonly required?: boolean | undefined
}

export const scriptCalls = {
  "scripts.types": call(shapes.object({ workflow }), answer<ScriptTypesView>()),
}

export interface ScriptTypesView {
  /** The first names of paths in any block of the workflow, with their types. Empty if the file can't be read. */
  readonly names: readonly NamedField[]
  readonly inputs: readonly NamedField[]
  readonly environments: readonly NamedField[]
  readonly calls: readonly ScriptCallView[]
}

export interface ScriptCallView {
  readonly context: ScriptContextName
  readonly block: string
  readonly script: string
  readonly exportName: string
  readonly names: readonly string[]
}

export type ScriptContextName = "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"
