// What is asked of the declarations of an API, and what it comes to in its files.

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
  /** What becomes of values in secrets files where the variable is to be a secret no longer. */
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
  /** Value files that a secret's value leaves: who can read the history of the repository still sees it. */
  readonly exposed: readonly string[]
}
