// Calls that show and change the environments of an API: variables, values, settings, and what moves between their files.

import type { Level, Problem, ScalarType } from "@callsheet/format"
import type { Call, InputKindsOf } from "./call.ts"
import type { ChangePlan } from "./plans.ts"

export interface EnvironmentCalls extends EnvironmentChangeCalls, SchemaCalls {
  /** The variables of an API and what each of its environments gives them. It holds no value of a secret. */
  readonly "environments.read": Call<{ readonly api: string }, EnvironmentsView>
}

const chosen = { api: "api", environment: "environment", etag: "etag" } as const

export const environmentInputs: InputKindsOf<EnvironmentCalls> = {
  "environments.read": { api: "api" },
  "environments.write": { ...chosen, set: "cells", unset: "names" },
  "environments.settings": { ...chosen, extends: "parent", level: "level", verify: "verify" },
  "environments.create": { api: "api", environment: "environment", extends: "parent", level: "level" },
  "environments.rename": { ...chosen, to: "environment" },
  "environments.delete": chosen,
  "schemas.plan": { api: "api", change: "schema-change" },
  "secrets.reveal": { api: "api", environment: "environment", variable: "variable", purpose: "purpose" },
}

/**
 * Calls that change environments. Each with an `etag` answers 428 without one, and 409 where the environment is another by now;
 * contents are not told then, which may be secrets.
 */
export interface EnvironmentChangeCalls {
  /**
   * Sets values and takes them away, all or nothing. Values of secrets go to the secrets file. Null says "no value", so that
   * nothing is inherited; a name of `unset` is inherited again. A text is read as the declared type.
   */
  readonly "environments.write": Call<EnvironmentWrite, EnvironmentWritten>
  /** What the value file is to say of these three; null: nothing, so that it is inherited. Other keys of `tls` stay. */
  readonly "environments.settings": Call<EnvironmentSettings, EnvironmentWritten>
  readonly "environments.create": Call<NewEnvironment, EnvironmentWritten>
  /** Moves both files, and mends every `extends` that names it. */
  readonly "environments.rename": Call<EnvironmentRename, EnvironmentWritten>
  /** Deletes both files. Refused while another environment extends it. */
  readonly "environments.delete": Call<ChosenEnvironment, NoOutput>
  /** The value of one secret, or of another variable, as this environment resolves it from the files. The terminal tells of it by name. */
  readonly "secrets.reveal": Call<SecretReveal, { readonly value: string }>
}

/** Calls that change what is declared. */
export interface SchemaCalls {
  /**
   * What a change of the declarations comes to in all files that it touches. Nothing is written yet. Refused with `problems`
   * where values do not fit, and where it cannot be done whole.
   */
  readonly "schemas.plan": Call<{ readonly api: string; readonly change: SchemaChange }, ChangePlan>
}

export type NoOutput = Readonly<Record<string, never>>

export interface ChosenEnvironment {
  readonly api: string
  readonly environment: string
  readonly etag: string | null
}

export interface EnvironmentWrite extends ChosenEnvironment {
  readonly set: Readonly<Record<string, CellValue>>
  /** Names that the environment's own files are to say nothing of; of an undeclared key too. */
  readonly unset: readonly string[]
}

export interface EnvironmentSettings extends ChosenEnvironment {
  readonly extends: string | null
  readonly level: Level | null
  readonly verify: boolean | null
}

export interface NewEnvironment {
  readonly api: string
  readonly environment: string
  readonly extends: string | null
  readonly level: Level | null
}

export interface EnvironmentRename extends ChosenEnvironment {
  readonly to: string
}

export interface EnvironmentWritten {
  /** Of the environment as it is now. */
  readonly etag: string
}

export interface SecretReveal {
  readonly api: string
  readonly environment: string
  readonly variable: string
  /** Whether it is shown on the page, or copied without being shown. */
  readonly purpose: "show" | "copy"
}

/** A declaration as it is to stand in the file: what is left out is not in it. */
export interface NewDeclaration {
  readonly type: ScalarType
  readonly required: boolean
  readonly description?: string
  readonly secret?: boolean
  /** A text is read as the type. */
  readonly default?: CellValue
}

export type SchemaChange =
  /** Makes `schema.json` where there is none. */
  | { readonly do: "add"; readonly name: string; readonly declaration: NewDeclaration }
  | {
      readonly do: "change"
      readonly name: string
      readonly declaration: NewDeclaration
      /** The default stays as it stands in the file: for one that is not shown. */
      readonly keepDefault?: true
      /**
       * Of a variable that is to be a secret no longer, and has values in secrets files: `keep` leaves them there, where they
       * win over value files and are not in version control; `move` writes them into the value files. Refused without.
       */
      readonly secretValues?: "keep" | "move"
    }
  | { readonly do: "rename"; readonly name: string; readonly to: string }
  | { readonly do: "delete"; readonly name: string }

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
  /** The variable is required, and a run would not start for want of a value. Not of an environment that others extend, as in `validate`. */
  readonly isMissing: boolean
  /** The same of an environment that others extend: it may be there for that alone, and they give the value. */
  readonly isLeftOpen?: true
  /** A file says that there is no value: `null`, or an empty text for a number or a boolean in a secrets file. */
  readonly isNothing?: true
  /** What the file holds is not of the declared type. */
  readonly isBroken?: true
  /** A secret whose value stands in a value file, and so in version control. */
  readonly isCommitted?: true
  /** The value shows a masked secret: it is not to be edited from what is shown. */
  readonly isMasked?: true
}
