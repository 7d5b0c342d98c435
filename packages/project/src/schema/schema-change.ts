// A change of the declarations of an API, and the edits of files that it leads to.

import type { EnvironmentFiles, VariableDeclaration } from "@callsheet/format"

export type SchemaChange =
  | { readonly do: "add"; readonly name: string; readonly declaration: VariableDeclaration }
  | ChangedDeclaration
  | { readonly do: "rename"; readonly name: string; readonly to: string }
  | { readonly do: "delete"; readonly name: string }

export interface ChangedDeclaration {
  readonly do: "change"
  readonly name: string
  readonly declaration: VariableDeclaration
  readonly keepDefault?: boolean | undefined
  /** The fate of values in secrets files if the variable stops being a secret. */
  readonly secretValues?: "keep" | "move" | undefined
}

/** A file before and after, without byte order marks. */
export interface TextEdit {
  readonly file: string
  readonly before: string | null
  readonly after: string
  readonly isSecret: boolean
}

export interface PlannedSchemaChange {
  /** For people: `rename the variable "a" of the API "shop" to "b"`. */
  readonly title: string
  /** The schema first, then the environments by name. */
  readonly edits: readonly TextEdit[]
  /** The environments as they would be. */
  readonly after: EnvironmentFiles
  readonly notes: readonly string[]
  /** Value files that a secret's value leaves: the history of the repository still contains it. */
  readonly exposed: readonly string[]
}
