// Shared by all formats of rows: each row sets the inputs that a workflow declares.

import { coerceText, isOfType } from "../environment/coerce-text.ts"
import type { JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import type { LineColumn } from "../source.ts"
import type { InputDeclaration, ScalarType } from "../workflow/types.ts"

/** The inputs that rows can set. */
export interface RowInputs {
  readonly declarations: Readonly<Record<string, InputDeclaration>>
  /** The names of inputs that already have a value, so that rows may leave them out. */
  readonly given: ReadonlySet<string>
}

/** The content of one record of a file. Only a row has values. */
export interface Found {
  readonly findings: readonly Placed[]
  readonly values?: Readonly<Record<string, JsonValue>>
}

export interface Placed {
  readonly finding: Finding
  readonly place: LineColumn
}

/** Returns the value with its declared type, or undefined if it has another one. Text is coerced. */
export function typedValue(value: JsonValue, type: ScalarType): JsonValue | undefined {
  if (typeof value === "string") return coerceText(value, type)
  return isOfType(value, type) ? value : undefined
}

export const isMissing = (name: string, { declarations, given }: RowInputs): boolean => {
  const declaration = declarations[name]
  return declaration?.required === true && declaration.default === undefined && !given.has(name)
}

export const undeclared = (name: string, { declarations }: RowInputs): Finding =>
  messages["input-unknown"].row(name, Object.keys(declarations))
