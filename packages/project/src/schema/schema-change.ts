// A change of an API's declarations, and the file edits that result.

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
  /** The fate of values in secrets files if the variable is no longer a secret. */
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
  /** The resulting environments. */
  readonly after: EnvironmentFiles
  readonly notes: readonly string[]
  /** Value files that a secret's value leaves; git history still contains it. */
  readonly exposed: readonly string[]
}
