// Matches rows to the inputs that a workflow declares. All row formats use it.

import { ownOf, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import type { LineColumn } from "../source.ts"
import type { InputDeclaration } from "../workflow/types.ts"

/** The inputs that rows can set. */
export interface RowInputs {
  readonly declarations: Readonly<Record<string, InputDeclaration>>
  /** The names of inputs that already have a value, so that rows may leave them out. */
  readonly given: ReadonlySet<string>
}

/** The content of one record of a file. Only a row has values. */
export interface FileRecord {
  readonly findings: readonly RowFinding[]
  readonly values?: Readonly<Record<string, JsonValue>>
  /** Finds the start of the row. Can be called until the next record is requested. */
  readonly place?: () => LineColumn
}

export interface RowFinding {
  readonly finding: Finding
  readonly place: LineColumn
}

export const isMissing = (name: string, { declarations, given }: RowInputs): boolean => {
  const declaration = ownOf(declarations, name)
  return declaration?.required === true && declaration.default === undefined && !given.has(name)
}

export const undeclared = (name: string, { declarations }: RowInputs): Finding =>
  messages["input-unknown"].row(name, Object.keys(declarations))
