// Calls that read and change an API's environments: variables, values, settings and schema.

import {
  declarationShape,
  levelShape,
  checkVariableName,
  shapes,
  type Level,
  type Problem,
  type ScalarType,
} from "@callsheet/format"
import { answer, call, type Nothing, type Saved } from "./call.ts"
import { api, environment, environmentName, etag, orNull, text, variableName } from "./names.ts"
import type { ChangePreview } from "./change-sets.ts"

const { array, boolean, either, enumOf, map, nothing, number, object, optional, required, variant } = shapes

/** Rejects numbers that JSON parsing may have rounded. Larger integers are sent as strings. */
const exactNumber = number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const cell = either("a string, a number, true, false or null", text, exactNumber, boolean, nothing)
/**
 * The value of a variable. Null means "no value". An integer too large for a double is a string with all its digits.
 */
export type CellValue = shapes.TypeOf<typeof cell>

const parent = required(orNull(environmentName), "The environment that it extends. Null if there is none.")
const level = required(orNull(levelShape), "Null: the level is inherited.")
const variable = required(variableName, "The variable's name.")

const chosen = { api, environment, etag }
const chosenEnvironment = object(chosen)
export type ChosenEnvironment = shapes.TypeOf<typeof chosenEnvironment>

const environmentWrite = object({
  ...chosen,
  set: required(map(cell, checkVariableName), "Values by variable name."),
  unset: required(
    array(() => text),
    "Variables to remove from the environment's own files, including undeclared ones.",
  ),
})

const environmentSettings = object({
  ...chosen,
  extends: parent,
  level,
  verify: required(orNull(boolean), "`false` turns certificate validation off. Null: inherited."),
})

const newEnvironment = object({ api, environment, extends: parent, level })

const environmentRename = object({ ...chosen, to: required(environmentName, "Its new name.") })

const secretReveal = object({
  api,
  environment,
  variable,
  purpose: required(
    enumOf("show", "copy"),
    "`show` displays the value on the page. `copy` copies it without displaying it.",
  ),
})

const { type, required: isRequired, description, secret } = declarationShape.fields
const newDeclaration = object({
  type,
  required: isRequired,
  description,
  secret,
  default: optional(cell, "A string is parsed as the type."),
})
export type NewDeclaration = shapes.TypeOf<typeof newDeclaration>

const change = <const D extends string>(name: D) => required(enumOf(name), "The action.")
const declaration = required(newDeclaration, "The new declaration.")

const changes = {
  /** Creates `schema.json` if it doesn't exist. */
  add: object({ do: change("add"), name: variable, declaration }),
  change: object({
    do: change("change"),
    name: variable,
    declaration,
    keepDefault: optional(
      boolean,
      "Keeps the default in the file. Use it if the page does not know the default.",
    ),
    secretValues: optional(
      enumOf("keep", "move"),
      "Required if the variable stops being a secret and secrets files contain values. `keep` leaves them there, where they override value files. `move` moves them to the value files.",
    ),
  }),
  rename: object({ do: change("rename"), name: variable, to: required(variableName, "Its new name.") }),
  delete: object({ do: change("delete"), name: variable }),
}
export type SchemaChange = shapes.TypeOf<(typeof changes)[keyof typeof changes]>

const schemaChange = object({
  api,
  change: required(
    variant<SchemaChange>({ name: "change", tag: "do", variants: changes, summaries: {} }),
    "A change of one variable.",
  ),
})

/**
 * Calls with an `etag` answer 428 if it is missing. If it is outdated, they answer 409 without the contents, which may
 * be secret.
 */
export const environmentCalls = {
  /** Returns an API's variables and their values in each environment. Omits the values of secrets. */
  "environments.read": call(object({ api }), answer<EnvironmentsView>()),
  /** Makes all changes or none. Null means "no value". Variables in `unset` inherit their values again. */
  "environments.write": call(environmentWrite, answer<Saved>()),
  /**
   * Sets three settings of the value file. Null removes a setting, so that it is inherited. Doesn't change other keys
   * of `tls`.
   */
  "environments.settings": call(environmentSettings, answer<Saved>()),
  "environments.create": call(newEnvironment, answer<Saved>()),
  /** Renames both files, and updates every `extends` that names the environment. */
  "environments.rename": call(environmentRename, answer<Saved>()),
  /** Deletes both files. Refused if another environment extends this one. */
  "environments.delete": call(chosenEnvironment, answer<Nothing>()),
  /**
   * Returns the value of a variable in this environment, as its files define it. The terminal logs the variable's name.
   */
  "secrets.reveal": call(secretReveal, answer<{ readonly value: string }>()),
  /** Previews a change of declarations. Refused with `problems` if existing values don't fit. */
  "schemas.plan": call(schemaChange, answer<ChangePreview>()),
}

export interface EnvironmentsView {
  readonly api: string
  readonly schema: SchemaView
  /** The valid declarations in file order. `problems` reports the others. */
  readonly variables: readonly VariableView[]
  readonly environments: readonly EnvironmentColumn[]
  /** The cells, by environment and then by variable. No cell is missing. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, CellView>>>>
}

interface SchemaView {
  readonly path: string
  /** The etag of `schema.json`. Null if it doesn't exist. */
  readonly etag: string | null
  /** The problems of the schema. While it has errors, no change can be previewed. */
  readonly problems: readonly Problem[]
}

export interface VariableView {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly secret: boolean
  readonly description?: string | undefined
  /** Absent for secrets. An integer too large for a double is a string with all its digits. */
  readonly default?: CellValue | undefined
  /** Set if the default of a secret is under version control. */
  readonly hasSecretDefault?: true | undefined
  readonly isDefaultMasked?: true | undefined
  /** The process variable that overrides all files. Absent if it isn't set. */
  readonly processVariable?: string | undefined
}

export interface EnvironmentColumn {
  readonly name: string
  readonly level?: Level | undefined
  readonly extends?: string | undefined
  readonly tls?: { readonly verify?: boolean } | undefined
  readonly effectiveLevel: Level
  readonly effectiveVerify: boolean
  /** Covers the value file and the secrets file. Reveals nothing about their contents. */
  readonly etag: string
  /** True if one of the two files can't be read or parsed. The environment can then be edited only as text. */
  readonly isBroken: boolean
  readonly problems: readonly Problem[]
}

export interface CellView {
  /** `own`: the environment's own files set the value. `inherited`: the files of `environment` set it. */
  readonly from: "own" | "inherited" | "default" | "none"
  readonly environment?: string | undefined
  readonly file: "values" | "secrets"
  /** Absent for secrets, and for missing or mistyped values. */
  readonly value?: CellValue | undefined
  /**
   * True if a required variable has no value, so that a run can't start. False if other environments extend this one.
   */
  readonly isMissing: boolean
  /** Set if a required variable has no value here, but other environments extend this one and may set it. */
  readonly isLeftOpen?: true | undefined
  /**
   * Set if a file says that the variable has no value: `null` or, in a secrets file, an empty string for a number or
   * boolean.
   */
  readonly isNothing?: true | undefined
  readonly isBroken?: true | undefined
  /** Set if the value of a secret is in a value file, and so under version control. */
  readonly isCommitted?: true | undefined
  /** Set if the value contains a masked secret. The text that the page shows then can't be edited. */
  readonly isMasked?: true | undefined
}
