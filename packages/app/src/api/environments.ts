// Calls that show and change the environments of an API: variables, values, settings, and what moves between their files.

import type { Level, Problem, ScalarType } from "@callsheet/format"
import type { Call, InputKindsOf } from "./call.ts"

export interface EnvironmentCalls {
  /** The variables of an API and what each of its environments gives them. It holds no value of a secret. */
  readonly "environments.read": Call<{ readonly api: string }, EnvironmentsView>
}

export const environmentInputs: InputKindsOf<EnvironmentCalls> = {
  "environments.read": { api: "api" },
}

export interface EnvironmentsView {
  readonly api: string
  readonly schema: SchemaView
  /** In the order of the file. A declaration with an error is not among them; the schema's problems say what is wrong with it. */
  readonly variables: readonly VariableView[]
  /** By name, in the order of the names. */
  readonly environments: readonly EnvironmentColumn[]
  /** By the name of the environment, by the name of the variable: one for each pair of them. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, CellView>>>>
}

export interface SchemaView {
  /** From the root of the project. */
  readonly path: string
  /** Null where there is no `schema.json` yet. */
  readonly etag: string | null
  /** Of the file itself. With an error among them no plan can be made: mend the text first. */
  readonly problems: readonly Problem[]
}

export interface VariableView {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly secret: boolean
  readonly description?: string
  /** Never of a secret. A whole number that a page cannot hold stands in a text, digit for digit. */
  readonly default?: CellValue
  /** Of a secret: its default stands in version control. */
  readonly hasSecretDefault?: true
  /** The default shows a masked secret: it is not to be edited from what is shown. */
  readonly isDefaultMasked?: true
  /** The process variable that is set and wins over all files, by its name. */
  readonly processVariable?: string
}

/** An environment as its own value file says, and what that comes to with its parents. */
export interface EnvironmentColumn {
  readonly name: string
  readonly level?: Level
  readonly extends?: string
  /** `verify` is absent where the file does not say it. */
  readonly tls?: { readonly verify?: boolean }
  readonly effectiveLevel: Level
  readonly effectiveVerify: boolean
  /** Of its value file and its secrets file together; it tells nothing of what they hold. */
  readonly etag: string
  /** One of its two files cannot be read, or does not parse: it can be edited as text alone. */
  readonly isBroken: boolean
  /** What is wrong in its two files; of very many the first. */
  readonly problems: readonly Problem[]
}

/** Null means "no value". A whole number that a page cannot hold stands in a text, digit for digit. */
export type CellValue = string | number | boolean | null

export interface CellView {
  /** `own`: its own files say it; `inherited`: those of the environment of that name. */
  readonly from: "own" | "inherited" | "default" | "none"
  readonly environment?: string
  /** Where the value stands; where no file gives one, where it would be written. */
  readonly file: "values" | "secrets"
  /** Never of a secret, and absent where there is none or it is of the wrong type. */
  readonly value?: CellValue
  /** The variable is required, and a run would not start for want of a value. */
  readonly isMissing: boolean
  /** A file says that there is no value: `null`, or an empty text for a number or a boolean in a secrets file. */
  readonly isNothing?: true
  /** What the file holds is not of the declared type. */
  readonly isBroken?: true
  /** A secret whose value stands in a value file, and so in version control. */
  readonly isCommitted?: true
  /** The value shows a masked secret: it is not to be edited from what is shown. */
  readonly isMasked?: true
}
